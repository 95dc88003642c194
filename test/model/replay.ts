/**
 * A provider on loopback that answers with bytes we choose, and tells what reached it.
 *
 * In:  replies, one a request.      Out: its URL, the requests, and an Effect that waits for a broken connection.
 * Not here: what the bytes should become (the tests say that).
 */
import { existsSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Deferred, Effect, type Scope } from "effect"

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: ReadonlyArray<string | Uint8Array>
  /** How it ends: properly, by breaking the connection, or never. */
  readonly end?: "close" | "break" | "hang"
}

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Readonly<Record<string, unknown>>
}

export interface Replay {
  readonly url: string
  readonly requests: Array<Received>
  /** Waits until the whole of a request has come and the body so far has been sent. */
  readonly answering: Effect.Effect<void>
  /** Waits until a client has gone away before the end. */
  readonly aborted: Effect.Effect<void>
}

export const serve = (...replies: ReadonlyArray<Reply>): Effect.Effect<Replay, never, Scope.Scope> =>
  Effect.gen(function* () {
    const answering = Deferred.makeUnsafe<void>()
    const aborted = Deferred.makeUnsafe<void>()
    const requests: Array<Received> = []
    const server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8")
      request.on("data", (piece: string) => {
        text += piece
      })
      request.on("end", () => {
        requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) })
        response.on("close", () => {
          if (!response.writableFinished) Deferred.doneUnsafe(aborted, Effect.void)
        })
        answer(response, replies[requests.length - 1] ?? { status: 500, body: ["no reply is left"] })
        Deferred.doneUnsafe(answering, Effect.void)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return {
      url: `http://127.0.0.1:${port}`,
      requests,
      answering: Deferred.await(answering),
      aborted: Deferred.await(aborted),
    }
  })

const answer = (response: ServerResponse, reply: Reply): void => {
  const type = reply.status === undefined ? "text/event-stream" : "application/json"
  response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers })
  for (const piece of reply.body) response.write(piece)
  if (reply.end === "hang") response.flushHeaders()
  else if (reply.end === "break") setImmediate(() => response.destroy())
  else response.end()
}

type Json = Readonly<Record<string, unknown>>

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`

/** Chat-completions: each item is a delta, or a whole choice when it has a finish reason, or a usage. */
export const chat = (...items: ReadonlyArray<Json>): ReadonlyArray<string> => [
  ...items.map((item) => {
    const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" }
    if ("usage" in item) return event({ ...head, choices: [], usage: item["usage"] })
    const { finish_reason = null, ...delta } = item
    return event({ ...head, choices: [{ index: 0, delta, finish_reason }] })
  }),
  "data: [DONE]\n\n",
]

/** One piece of one call, as chat-completions cut them. */
export const piece = (index: number, text: string, start: Json = {}): Json => ({
  tool_calls: [{ index, ...start, function: { ...asJson(start["function"]), arguments: text } }],
})

const asJson = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {})

/** Anthropic messages: the events in between the message's start and its end. */
export const messages = (
  events: ReadonlyArray<Json>,
  end: ReadonlyArray<Json> = messagesEnd("tool_use"),
): ReadonlyArray<string> =>
  [messageStart, ...events, ...end].map(
    (data) => `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`,
  )

const messageStart = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 12, cache_read_input_tokens: 5, output_tokens: 1 },
  },
}

export const messagesEnd = (stopReason: string): ReadonlyArray<Json> => [
  {
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 30 },
  },
  { type: "message_stop" },
]

export const blockEvents = (
  index: number,
  content: Json,
  ...deltas: ReadonlyArray<Json>
): ReadonlyArray<Json> => [
  { type: "content_block_start", index, content_block: content },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
]

const corpus = new URL("../../../shared/corpus/wire/", import.meta.url)

/** Whether the recorded streams lie beside the repository. */
export const hasCorpus: boolean = existsSync(corpus)

/** A recorded stream as it goes over the wire; files of single events get their frames back. */
export const recorded = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(file, corpus), "utf8")
  if (file.endsWith(".sse")) return [text]
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  return [...lines.map((line) => `data: ${line}\n\n`), "data: [DONE]\n\n"]
}
