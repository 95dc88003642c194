/** Every system call of the store fails once: nothing that was acknowledged is lost, and nothing unlawful is left. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Result } from "effect"
import { expect } from "vitest"
import { isHarnessError } from "../../src/error/HarnessError.ts"
import * as DirectFiles from "../../src/lease/DirectFiles.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as Draft from "../session/drafts.ts"
import { holdElsewhere } from "./elsewhere.ts"
import { type Fault, faulty, kindsOf } from "./faultyFiles.ts"
import { isLong, quickDirectory, report } from "./scale.ts"

/** What a caller heard: messages that were acknowledged, and errors. */
interface Heard {
  readonly acknowledged: Array<string>
  readonly failures: Array<unknown>
}

const openOrCreate = Effect.catchTag(SessionLog.open("s"), "SessionNotFound", () =>
  SessionLog.create({ id: "s" }),
)

/** Open the session and add messages; after a failed append it must be at its end. */
const use = (heard: Heard, appends: ReadonlyArray<readonly [id: string, "written" | "synced"]>) =>
  Effect.gen(function* () {
    const session = yield* openOrCreate
    for (const [messageId, durability] of appends) {
      Result.getOrThrow(session.accept(Draft.context(`${messageId}-context`)))
      const added = yield* Effect.result(session.append(durability, () => [Draft.user(messageId)]))
      if (Result.isSuccess(added)) heard.acknowledged.push(messageId)
      else {
        heard.failures.push(added.failure)
        expect(session.status()).toBe("disposed")
        const late = yield* Effect.flip(session.append("written", () => [Draft.user("late")]))
        expect(late._tag).toBe("SessionPoisoned")
        return
      }
    }
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => Effect.sync(() => void heard.failures.push(error))),
  )

/** What a killed process leaves at the end of a log. */
const tear = (directory: string) => {
  const logs = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".jsonl")) : []
  for (const name of logs) appendFileSync(join(directory, name), '{"seq":99,"at":1,"ty')
}

type Files = (fs: FileSystem.FileSystem) => FileSystem.FileSystem

const storeIn = (directory: string, fault: Fault | undefined, calls: Array<string>, change: Files) => {
  const files = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => faulty(change(fs), fault, calls)),
  )
  return JsonlStore.layer({ directory, force: true }).pipe(
    Layer.provide(Layer.provideMerge(files, NodeServices.layer)),
  )
}

/** Create, go on, go on with a torn log, take over with a copy, look. */
const story = (
  directory: string,
  fault: Fault | undefined,
  calls: Array<string>,
  heard: Heard,
  change: Files,
) =>
  Effect.gen(function* () {
    yield* use(heard, [
      ["m1", "synced"],
      ["m2", "written"],
    ])
    tear(directory)
    yield* use(heard, [["m3", "synced"]])
    holdElsewhere(directory)
    tear(directory)
    yield* use(heard, [
      ["m4", "written"],
      ["m5", "synced"],
    ])
    const store = yield* SessionStore
    const note = (error: unknown) => Effect.sync(() => void heard.failures.push(error))
    yield* Effect.catch(Effect.asVoid(store.read("s")), note)
    yield* Effect.catch(Effect.asVoid(store.list), note)
  }).pipe(Effect.provide(storeIn(directory, fault, calls, change)))

/** Run the story with one fault, then open the log on a disk that works. */
const runWith = (fault: Fault | undefined, change: Files) =>
  Effect.gen(function* () {
    const base = mkdtempSync(join(quickDirectory, "faults-"))
    const directory = join(base, "new", "sessions")
    const calls: Array<string> = []
    const heard: Heard = { acknowledged: [], failures: [] }
    yield* story(directory, fault, calls, heard, change)
    yield* use(heard, [["last", "synced"]]).pipe(Effect.provide(storeIn(directory, undefined, [], change)))
    const newest = readdirSync(directory)
      .flatMap((name) => /^s(?:~(\d+))?\.jsonl$/.exec(name) ?? [])
      .filter((_, index) => index % 2 === 0)
      .sort((a, b) => Number(/~(\d+)/.exec(a)?.[1] ?? 0) - Number(/~(\d+)/.exec(b)?.[1] ?? 0))
      .at(-1)
    const bytes = readFileSync(join(directory, newest ?? "none"))
    rmSync(base, { recursive: true })
    const log = Result.getOrThrow(LogFile.parse(bytes))
    expect(log.wholeBytes).toBe(bytes.length)
    const messages = log.events.flatMap((event) =>
      event.type === "user/message" ? [event.data.messageId] : [],
    )
    return { calls: calls.map((call) => call.replace(base, "")), ...heard, messages }
  })

describe.each<[string, Files, RegExp]>([
  ["the store", (fs) => fs, /./],
  ["the store whose small calls are made at once", DirectFiles.fromNode, /^(?:write|stat|exists) /],
])("%s", (_, change, faulted) => {
  it.live(
    "keeps what it acknowledged, whichever system call fails, and however",
    () =>
      Effect.gen(function* () {
        const whole = yield* runWith(undefined, change)
        expect(whole.failures).toEqual([])
        expect(whole.messages).toEqual(["m1", "m2", "m3", "m4", "m5", "last"])
        const faults = whole.calls.flatMap((call, index) => {
          const kinds = faulted.test(call) ? kindsOf(call) : []
          const chosen = isLong ? kinds : kinds.filter((_, at) => at === index % kinds.length)
          return chosen.map((kind): Fault => ({ call: index, kind }))
        })
        let told = 0
        for (const fault of faults) {
          const run = yield* runWith(fault, change)
          const where = `${fault.kind} at call ${fault.call}, ${whole.calls[fault.call]}`
          // Only one call failed, so only one user of the store heard of it.
          const { acknowledged, messages, failures } = run
          expect({
            where,
            lost: acknowledged.filter((id) => !messages.includes(id)),
            last: acknowledged.at(-1),
            doubled: messages.length - new Set(messages).size,
            untyped: failures.filter((failure) => !isHarnessError(failure)),
            furtherFailures: failures.slice(1),
          }).toEqual({ where, lost: [], last: "last", doubled: 0, untyped: [], furtherFailures: [] })
          told += run.failures.length
        }
        report(
          `faults: ${whole.calls.length} system calls, ${faults.length} faults, told ${told} times, acknowledged messages lost 0, unlawful logs 0`,
        )
      }),
    120_000,
  )
})
