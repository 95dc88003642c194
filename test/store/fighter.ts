/**
 * One of two processes that fight over a session: takes it whenever it can, writes turns, and says what was acknowledged.
 *
 * In:  a directory, a name and a seed.      Out: lines on stdout: `ack <message id>` and `end <tag of an error>`.
 * It stops itself in the middle of system calls, where a stopped writer does the most harm.
 */
import { writeSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import { randomOf } from "../../src/conformance/makeEvents.ts"
import * as Recovery from "../../src/recovery/Recovery.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as Draft from "../session/drafts.ts"

const [directory = "", name = "", seed = "0"] = process.argv.slice(2)
const random = randomOf(Number(seed))
const say = (line: string) => writeSync(1, `${line}\n`)

/** Before and after a call that changes the disk, now and then, until somebody continues us. */
const pause = Effect.sync(() => {
  if (random() < 0.01) process.kill(process.pid, "SIGSTOP")
})
const paused = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    pause,
    Effect.tap(call, () => pause),
  )

const files = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) => ({
    ...fs,
    link: (from: string, to: string) => paused(fs.link(from, to)),
    stat: (path: string) => paused(fs.stat(path)),
    readFile: (path: string) => paused(fs.readFile(path)),
    open: (path: string, options?: Parameters<typeof fs.open>[1]) =>
      Effect.map(paused(fs.open(path, options)), (file) => {
        const slow = {
          sync: paused(file.sync),
          writeAll: (bytes: Uint8Array) => paused(file.writeAll(bytes)),
        }
        return new Proxy(file, {
          get: (target, key) => Reflect.get(slow, key) ?? Reflect.get(target, key),
        })
      }),
  })),
)

const storeOf = (force: boolean) =>
  JsonlStore.layer({ directory, force }).pipe(Layer.provide(Layer.provideMerge(files, NodeServices.layer)))

let told = 0

const chunks = [
  { type: "block-start", block: "b1", kind: "text" },
  { type: "text-delta", block: "b1", text: "a" },
  { type: "text-delta", block: "b1", text: "b" },
  { type: "block-end", block: "b1" },
] as const

const turn = (session: Effect.Success<ReturnType<typeof SessionLog.open>>) =>
  Effect.gen(function* () {
    const id = `${name}-${process.pid}-${told++}`
    yield* session.append("synced", () => [Draft.user(id)])
    say(`ack ${id}`)
    const number = session.state().turn + 1
    const claims = session.state().pending.map(({ messageId }) => messageId)
    yield* session.append("written", () => [Draft.turnStart(number, ...claims), Draft.stepStart(number, 1)])
    for (const chunk of chunks) {
      session.accept({ type: "assistant/chunk", data: { turn: number, step: 1, chunk } })
    }
    yield* session.append("synced", () => [
      Draft.answer(number, 1, "ab"),
      Draft.stepEnd(number, 1),
      Draft.turnEnd(number),
    ])
    const done = `${id}-done`
    yield* session.append("written", () => [Draft.context(done)])
    say(`ack ${done}`)
  })

const hold = Effect.gen(function* () {
  const session = yield* Effect.catchTag(SessionLog.open("s"), "SessionNotFound", () =>
    SessionLog.create({ id: "s" }),
  )
  yield* Recovery.close(session)
  const turns = 1 + Math.floor(random() * 8)
  for (let n = 0; n < turns; n++) yield* turn(session)
  return "let go"
}).pipe(Effect.scoped)

const expected = new Set(["SessionBusy", "SessionFenced", "SessionPoisoned"])

const fight = Effect.gen(function* () {
  for (;;) {
    const force = random() < 0.5
    const end = yield* hold.pipe(
      Effect.provide(storeOf(force)),
      Effect.catch((error) =>
        Effect.succeed(expected.has(error._tag) ? error._tag : `${error._tag}: ${error.message}`),
      ),
    )
    say(`end ${end}`)
    yield* Effect.sleep(random() * 10)
  }
})

await Effect.runPromise(fight)
