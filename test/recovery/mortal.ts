/**
 * A process that plays one story in one session and kills itself at the kth write of its log.
 *
 * In:  a folder, the name of a story, a number of writes to live for (0: for ever), `whole` or `torn`: the last write.
 * Out: the log; a diary beside it, one line a fact that survives the process: `ack ID`, `body NAME CALL KEY`, `bad …`.
 * Order: started again it does the same again, as a client does who was not answered: the same messages by their ids.
 */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Deferred, Effect, FileSystem, Layer, Stream } from "effect"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import type { Message } from "../../src/message/Message.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import { Model } from "../../src/model/Model.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"

const [directory = "", story = "", lives = "0", last = "whole"] = process.argv.slice(2)
const note = (line: string) => appendFileSync(join(directory, "diary"), `${line}\n`)

let left = Number(lives)
const die = () => process.kill(process.pid, "SIGKILL")

/** The last write reaches the file, or half of it does; nothing after it happens. */
const mortal = (write: (bytes: Uint8Array) => Effect.Effect<void, unknown>) => (bytes: Uint8Array) => {
  if (--left !== 0) return write(bytes)
  const written = last === "torn" ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes
  return Effect.andThen(write(written), Effect.andThen(Effect.sync(die), Effect.never))
}

const files = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) => ({
    ...fs,
    open: (path: string, options?: Parameters<typeof fs.open>[1]) =>
      Effect.map(fs.open(path, options), (file) =>
        path.endsWith(".jsonl")
          ? new Proxy(file, {
              get: (target, key) =>
                key === "writeAll" ? mortal((bytes) => target.writeAll(bytes)) : Reflect.get(target, key),
            })
          : file,
      ),
  })),
)

const block = (id: string, kind: "text", text: string): ReadonlyArray<ModelChunk> => [
  { type: "block-start", block: id, kind },
  { type: "text-delta", block: id, text },
  { type: "block-end", block: id },
]
const call = (id: string, name: string): ReadonlyArray<ModelChunk> => [
  { type: "block-start", block: id, kind: "tool-call", callId: id, name },
  { type: "arguments-delta", block: id, text: '{"n":1}' },
  { type: "block-end", block: id },
]

/** A provider refuses a history in which a call is not followed by its result; so this one says it in the diary. */
const judge = (messages: ReadonlyArray<Message>): void => {
  for (const [at, message] of messages.entries()) {
    const calls =
      message.role === "assistant" ? message.content.filter(({ type }) => type === "tool-call") : []
    const next = messages[at + 1]
    const answered = next?.role === "tool" ? next.content.length : 0
    if (calls.length !== answered) note(`bad history: ${calls.length} calls, ${answered} results`)
  }
  note("request")
}

const isFirst = (message: Message | undefined): boolean =>
  message?.role === "user" && JSON.stringify(message.content).includes("m1")

/** It calls all tools at the first message, and says a word at everything else. */
const model: Model["Service"] = {
  name: "mortal:test",
  stream: ({ messages, tools }) =>
    Stream.suspend(() => {
      judge(messages)
      const isAsked = isFirst(messages.at(-1)) && tools.length > 0
      const calls = isAsked ? tools.flatMap(({ name }) => call(name, name)) : []
      return Stream.fromIterable<ModelChunk>([
        ...block("t", "text", isAsked ? "I will." : "Done."),
        ...calls,
        { type: "usage", usage: { inputTokens: 1, outputTokens: 1 } },
        { type: "finish", finish: { kind: isAsked ? "tool-calls" : "stop" } },
      ])
    }),
}

const started = Deferred.makeUnsafe<void>()
const parameters = { n: { type: "integer", required: true } } as const
const body =
  (name: string) =>
  (_: object, { callId, key }: { readonly callId: string; readonly key: string }) =>
    Effect.sync(() => {
      note(`body ${name} ${callId} ${key}`)
      return `${name} is done`
    })
const pay = defineTool({ name: "pay", description: "Pay", parameters, run: body("pay") })
const look = defineTool({
  name: "look",
  description: "Look",
  parameters,
  idempotent: true,
  run: body("look"),
})
const slow = defineTool({
  name: "slow",
  description: "Wait",
  parameters,
  run: (args, info) =>
    body("slow")(args, info).pipe(
      Effect.andThen(Deferred.succeed(started, undefined)),
      Effect.andThen(Effect.never),
    ),
})
const boxes: { readonly [story: string]: Toolbox.Toolbox<never> } = {
  plain: Toolbox.empty,
  tools: Toolbox.make(pay, look),
  steering: Toolbox.make(slow),
}

const acknowledge = <A, E>(messageId: string, said: Effect.Effect<A, E>) =>
  Effect.tap(said, () => Effect.sync(() => note(`ack ${messageId}`)))

const talk = (agent: Agent.Agent, messageId: string) =>
  Effect.gen(function* () {
    yield* acknowledge(messageId, agent.send(`words of ${messageId}`, { messageId }))
    yield* agent.prompt(`words of ${messageId}`, { messageId })
  })

const holds = (session: Session, is: (event: SessionEvent) => boolean): boolean => session.log().some(is)

/** Steer and abort while a body runs; what an earlier process got done of it is not done again. */
const steer = Effect.fnUntraced(function* (agent: Agent.Agent, session: Session) {
  const first = talk(agent, "m1")
  const whileItRuns = Effect.gen(function* () {
    yield* Deferred.await(started)
    yield* acknowledge("s1", agent.steer("use B", { messageId: "s1" }))
    yield* agent.abort("enough")
  })
  yield* Effect.raceFirst(first, Effect.andThen(whileItRuns, Effect.never))
  if (!holds(session, ({ type, data }) => type.endsWith("/message") && Object(data).messageId === "s1"))
    yield* acknowledge("s1", agent.steer("use B", { messageId: "s1" }))
})

const play = Effect.gen(function* () {
  const session = yield* Effect.catchTag(SessionLog.open("s"), "SessionNotFound", () =>
    SessionLog.create({ id: "s" }),
  )
  const tools = boxes[story] ?? Toolbox.empty
  const agent = yield* Agent.make({ session, tools })
  if (story === "steering") yield* steer(agent, session)
  else yield* talk(agent, "m1")
  yield* talk(agent, "m2")
  yield* agent.awaitIdle
  if (lives === "0") note(`writes ${-left}`)
  note("end")
})

const store = JsonlStore.layer({ directory, sync: "os" }).pipe(
  Layer.provide(Layer.provideMerge(files, NodeServices.layer)),
)
const main = play.pipe(Effect.scoped, Effect.provide([store, Layer.succeed(Model, model)]))
Effect.runPromise(main).catch((error: unknown) => {
  note(`bad end: ${String(error)}`)
  process.exitCode = 1
})
