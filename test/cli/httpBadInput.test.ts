/**
 * A provider that refuses, breaks off or talks nonsense: one line says why, the log is closed, and the key stays secret.
 */
import { readFileSync } from "node:fs"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { type Dialect, key } from "../model/answers.ts"
import { blockEvents, chat, messages, messagesEnd, piece, type Reply, serve } from "../model/replay.ts"
import { all, begin, lawfulEvents, logIn } from "./turn.ts"

interface Case {
  readonly says: string
  readonly dialect?: Dialect
  /** It is given for as long as the program asks. */
  readonly reply: Reply
  readonly code: string
  /** What the line says besides the code. */
  readonly line: RegExp
  readonly requests: number
}

/** The answer that a failed attempt is followed by at once; the program waits for a second and longer otherwise. */
const soon = { "retry-after-ms": "1" }

const refusal = (status: number, message: string, headers = {}): Reply => ({
  status,
  headers,
  body: [JSON.stringify({ error: { message, type: "refusal", code: null } })],
})

const page =
  "<!DOCTYPE html>\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body>\n</html>\n"
const answers = {
  "openai-compatible": { body: chat({ content: "Here I am." }, { finish_reason: "stop" }) },
  anthropic: {
    body: messages(
      blockEvents(0, { type: "text", text: "" }, { type: "text_delta", text: "Here I am." }),
      messagesEnd("end_turn"),
    ),
  },
} as const satisfies Record<string, Reply>
const cutAfterText = chat({ content: "Half a" }).slice(0, -1)
const call = { id: "call_a", type: "function", function: { name: "read_file" } }

const cases: ReadonlyArray<Case> = [
  {
    says: "401 that repeats the key",
    reply: refusal(401, `Incorrect API key provided: ${key}`),
    code: "MODEL_UNAUTHORIZED",
    line: /the provider answered 401: Incorrect API key provided: \[redacted\]/,
    requests: 1,
  },
  {
    says: "401 of Anthropic",
    dialect: "anthropic",
    reply: {
      status: 401,
      body: ['{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'],
    },
    code: "MODEL_UNAUTHORIZED",
    line: /the provider answered 401: invalid x-api-key/,
    requests: 1,
  },
  {
    says: "403",
    reply: refusal(403, "Your country is not served"),
    code: "MODEL_UNAUTHORIZED",
    line: /the provider answered 403: Your country is not served/,
    requests: 1,
  },
  {
    says: "400 because the context is too long",
    reply: refusal(400, "This model's maximum context length is 8192 tokens."),
    code: "MODEL_CONTEXT_OVERFLOW",
    line: /maximum context length is 8192 tokens/,
    requests: 1,
  },
  {
    says: "404 for the model",
    reply: refusal(404, "The model `m` does not exist"),
    code: "MODEL_REFUSED",
    line: /the provider answered 404: The model `m` does not exist/,
    requests: 1,
  },
  {
    says: "429 for ever",
    reply: refusal(429, "Slow down", { "retry-after": "0" }),
    code: "MODEL_RATE_LIMITED",
    line: /the provider answered 429: Slow down/,
    requests: 4,
  },
  {
    says: "500 for ever",
    reply: refusal(500, "The server had an error", soon),
    code: "MODEL_OVERLOADED",
    line: /the provider answered 500: The server had an error/,
    requests: 4,
  },
  {
    says: "529 of Anthropic for ever",
    dialect: "anthropic",
    reply: {
      status: 529,
      headers: soon,
      body: ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    },
    code: "MODEL_OVERLOADED",
    line: /the provider answered 529: Overloaded/,
    requests: 4,
  },
  {
    says: "an HTML page with a bad status",
    reply: { status: 502, headers: { ...soon, "content-type": "text/html" }, body: [page] },
    code: "MODEL_OVERLOADED",
    line: /the provider answered 502: .*Bad Gateway/,
    requests: 4,
  },
]

/** What comes without a word of when to ask again: the program waits for one, two and four seconds. */
const slowCases: ReadonlyArray<Case> = [
  {
    says: "an HTML page with a good status",
    reply: { headers: { "content-type": "text/html; charset=utf-8" }, body: [page] },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /without a finish.* \(the answer is text\/html, no event stream; is the base URL right\?\)/,
    requests: 4,
  },
  {
    says: "an empty 200",
    reply: { body: [] },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /without a finish/,
    requests: 4,
  },
  {
    says: "a connection that breaks in the middle",
    reply: { body: cutAfterText, end: "break" },
    code: "MODEL_UNREACHABLE",
    line: /the provider failed: .*UND_ERR_SOCKET/,
    requests: 4,
  },
]

interface Passing {
  readonly says: string
  readonly dialect?: "openai-compatible" | "anthropic"
  /** What comes once; the next answer is good. */
  readonly reply: Reply
  readonly code: string
  readonly line: RegExp
}

const passing: ReadonlyArray<Passing> = [
  {
    says: "429",
    reply: refusal(429, "Slow down", { "retry-after": "0" }),
    code: "MODEL_RATE_LIMITED",
    line: /MODEL_RATE_LIMITED the provider answered 429: Slow down/,
  },
  {
    says: "garbage instead of a stream",
    reply: { body: ["\u0000\u0001 not a stream at all \uffff\n\n"] },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /MODEL_PROTOCOL_VIOLATED [^\n(]*without a finish[^\n(]*\n/,
  },
  {
    says: "garbage in a stream",
    reply: { body: [...cutAfterText, "data: {oops\n\n"] },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /MODEL_PROTOCOL_VIOLATED .*JSON/,
  },
  {
    says: "a stream that closes in the middle of a call",
    reply: { body: chat(piece(0, "{}", call)).slice(0, -1) },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /MODEL_PROTOCOL_VIOLATED .*without a finish/,
  },
  {
    says: "a stream of Anthropic that closes after a whole call",
    dialect: "anthropic",
    reply: {
      body: messages(blockEvents(0, { type: "tool_use", id: "a", name: "read_file", input: {} }), []),
    },
    code: "MODEL_PROTOCOL_VIOLATED",
    line: /MODEL_PROTOCOL_VIOLATED .*without a finish/,
  },
  {
    says: "a stream of Anthropic that breaks off with an error",
    dialect: "anthropic",
    reply: {
      body: messages([{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }], []),
    },
    code: "MODEL_OVERLOADED",
    line: /MODEL_OVERLOADED .*Overloaded/,
  },
]

/** Play a turn that fails, and hold what it left to what every failed turn leaves. */
const tellFailure = (dialect: Dialect, url: string, { code, line }: Pick<Case, "code" | "line">) =>
  Effect.gen(function* () {
    const { running, cwd } = yield* begin(dialect, url)
    const ended = yield* Effect.promise(() => running.ended)
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).not.toMatch(/^\s+at /m)
    const told = ended.stderr.split("\n").filter((text) => text.startsWith("turn 1 failed"))
    expect(told).toEqual([expect.stringMatching(line)])
    expect(told[0]).toContain(`turn 1 failed ${code}: `)
    const events = lawfulEvents(cwd)
    expect(events.at(-1)).toMatchObject({ type: "turn/end", data: { reason: { kind: "failed", code } } })
    expect(all(events, "tool/call")).toEqual([])
    expect(ended.stderr + readFileSync(logIn(cwd), "utf8")).not.toContain(key)
    return events
  })

const itFails = ({ says, dialect = "openai-compatible", reply, requests: count, ...wanted }: Case) =>
  it.effect(`${says} fails the turn in one line`, () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve(reply, reply, reply, reply, reply)
      const events = yield* tellFailure(dialect, url, wanted)
      expect(requests).toHaveLength(count)
      expect(all(events, "step/start")).toHaveLength(count)
      expect(all(events, "error").map(({ code }) => code)).toEqual(Array(count).fill(wanted.code))
    }),
  )

describe("a provider's answer", () => {
  for (const each of cases) itFails(each)

  it.effect("that fails the turn is reported with --json as an error to match on", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(refusal(403, `not with ${key}`))
      const { running } = yield* begin("openai-compatible", url, { flags: ["--json"] })
      const { code, stdout, stderr } = yield* Effect.promise(() => running.ended)
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
      expect(JSON.parse(stdout)).toMatchObject({
        steps: 1,
        text: "",
        reason: { kind: "failed", code: "MODEL_UNAUTHORIZED" },
        error: { name: "ModelUnauthorized", code: "MODEL_UNAUTHORIZED" },
      })
      expect(stdout).not.toContain(key)
    }),
  )
})

// They wait more than they work, so they wait together.
describe("a provider's answer, after waiting,", { concurrent: true, timeout: 60_000 }, () => {
  for (const each of slowCases) itFails(each)

  it.effect("that nobody is there to give fails the turn in one line", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serve())
      const wanted = { code: "MODEL_UNREACHABLE", line: /ECONNREFUSED/ }
      const events = yield* tellFailure("openai-compatible", url, wanted)
      expect(all(events, "step/start")).toHaveLength(4)
    }),
  )

  for (const { says, dialect = "openai-compatible", reply, code, line } of passing) {
    it.effect(`${says} is asked for again in a new step, and the turn goes on`, () =>
      Effect.gen(function* () {
        const { url, requests } = yield* serve(reply, answers[dialect])
        const { running, cwd } = yield* begin(dialect, url)
        const ended = yield* Effect.promise(() => running.ended)
        expect(ended).toMatchObject({ code: 0, stdout: "Here I am.\n" })
        expect(ended.stderr).toMatch(line)
        const events = lawfulEvents(cwd)
        expect(all(events, "error")).toMatchObject([{ step: 1, code }])
        expect(all(events, "tool/call")).toEqual([])
        expect(all(events, "step/end")).toMatchObject([{ step: 1 }, { step: 2 }])
        expect(requests[1]?.body["messages"]).toEqual(requests[0]?.body["messages"])
      }),
    )
  }
})
