/**
 * Kill a process with SIGKILL at a write of its log, whole or torn, and let a new one go on: at every write with `LONG=1`.
 *
 * Source: PROTOCOL "Crashes". Neighbours lose the session here, or the message, or run the payment twice.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { isLong, quickDirectory, report } from "../store/scale.ts"

const stories = ["plain", "tools", "steering"] as const
const lasts = ["whole", "torn"] as const

interface Point {
  readonly story: string
  readonly lives: number
  readonly last: string
}

let home = ""
beforeAll(async () => {
  home = mkdtempSync(join(quickDirectory, "effect-harness-killed-"))
  const source = join(import.meta.dirname, "mortal.ts")
  const require = 'import { createRequire as __r } from "node:module"\nconst require = __r(import.meta.url)'
  await build({
    entryPoints: [source],
    outfile: join(home, "mortal.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: require },
    logLevel: "silent",
  })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const live = (folder: string, { story, lives, last }: Point) =>
  Effect.callback<NodeJS.Signals | number | null>((resume) => {
    const child = spawn(process.execPath, [join(home, "mortal.mjs"), folder, story, String(lives), last], {
      stdio: "inherit",
    })
    child.on("exit", (code, signal) => resume(Effect.succeed(signal ?? code)))
  })

const readLog = (folder: string): ReadonlyArray<SessionEvent> => {
  const name = readdirSync(folder).find((file) => file.endsWith(".jsonl"))
  if (name === undefined) return []
  const log = LogFile.view(readFileSync(join(folder, name)))
  return Result.isSuccess(log) ? log.success.events : []
}

const diary = (folder: string): ReadonlyArray<ReadonlyArray<string>> => {
  const has = readdirSync(folder).includes("diary")
  return has
    ? readFileSync(join(folder, "diary"), "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(" "))
    : []
}

/** What a person would have lost or paid twice. */
interface Damage {
  /** Acknowledged by the process that died, and not in the log that it left. */
  readonly forgottenMessages: number
  /** Run by the process that died, without a call in the log that it left: nobody would know of it. */
  readonly unloggedBodies: number
  readonly lostMessages: number
  readonly doubledMessages: number
  readonly lostResults: number
  readonly doubledBodies: number
  readonly changedKeys: number
  readonly violations: ReadonlyArray<Verifier.LogViolation>
  readonly complaints: ReadonlyArray<string>
}

const none: Damage = {
  forgottenMessages: 0,
  unloggedBodies: 0,
  lostMessages: 0,
  doubledMessages: 0,
  lostResults: 0,
  doubledBodies: 0,
  changedKeys: 0,
  violations: [],
  complaints: [],
}

type Diary = ReturnType<typeof diary>

/** What a dead process has left: its log, and what it told and did. */
interface Left {
  readonly log: ReadonlyArray<SessionEvent>
  readonly notes: Diary
}

const acknowledgedIn = (notes: Diary): ReadonlySet<string> =>
  new Set(notes.flatMap(([what, id = ""]) => (what === "ack" ? [id] : [])))

/** The next life sends the same messages and runs the same calls, so this is looked at before it begins. */
const inspectLeft = ({ log, notes }: Left): Pick<Damage, "forgottenMessages" | "unloggedBodies"> => {
  const said = log.flatMap((event) =>
    event.type === "user/message" || event.type === "steering/message" ? [event.data.messageId] : [],
  )
  const begun = log.flatMap((event) => (event.type === "tool/call" ? [event.data.callId] : []))
  const bodies = notes.flatMap(([what, , callId = ""]) => (what === "body" ? [callId] : []))
  return {
    forgottenMessages: [...acknowledgedIn(notes)].filter((id) => !said.includes(id)).length,
    unloggedBodies: bodies.filter((callId) => !begun.includes(callId)).length,
  }
}

const inspect = (folder: string, left: Left): Damage => {
  const log = readLog(folder)
  const notes = diary(folder)
  const acknowledged = acknowledgedIn(notes)
  const claims = log.flatMap((event) =>
    event.type === "turn/start" || event.type === "step/start" ? event.data.claims : [],
  )
  const times = (id: string) => claims.filter((claim) => claim === id).length
  const resultsOf = (events: ReadonlyArray<SessionEvent>) =>
    events.flatMap((event) => (event.type === "tool/result" ? [JSON.stringify(event)] : []))
  const after = resultsOf(log)
  const bodies = notes.filter(([what]) => what === "body")
  const keysOf = (callId: string) =>
    new Set(bodies.filter(([, , id]) => id === callId).map(([, , , key]) => key))
  const calls = [...new Set(bodies.map(([, , callId = ""]) => callId))]
  const unsafe = bodies.filter(([, name]) => name !== "look").map(([, , callId]) => callId)
  return {
    ...inspectLeft(left),
    lostMessages: [...acknowledged].filter((id) => times(id) === 0).length,
    doubledMessages: [...acknowledged].filter((id) => times(id) > 1).length,
    lostResults: resultsOf(left.log).filter((result) => !after.includes(result)).length,
    doubledBodies: unsafe.length - new Set(unsafe).size,
    changedKeys: calls.filter((callId) => keysOf(callId).size > 1).length,
    violations: Verifier.verify(log),
    complaints: notes.filter(([what]) => what === "bad").map((words) => words.join(" ")),
  }
}

/** Die once, go on, and look; undefined when the story was over before it could die. */
const survive = (
  point: Point,
): Effect.Effect<{ readonly damage: Damage; readonly resumed: boolean } | undefined> =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(home, `${point.story}-`))
    const end = yield* live(folder, point)
    if (end !== "SIGKILL") return undefined
    const left = { log: readLog(folder), notes: diary(folder) }
    yield* live(folder, { ...point, lives: 0 })
    const damage = inspect(folder, left)
    const resumed = readLog(folder).some(({ type }) => type === "session/resume")
    const isOver = diary(folder).at(-1)?.[0] === "end"
    rmSync(folder, { recursive: true, force: true })
    return { damage: isOver ? damage : { ...damage, complaints: [...damage.complaints, "no end"] }, resumed }
  })

/** All writes of a story; in the normal run every fifth, with an offset of its own for each kind of death. */
const pointsOf = (story: string, writes: number): ReadonlyArray<Point> =>
  lasts.flatMap((last, at) =>
    Array.from({ length: writes }, (_, index) => index + 1)
      .filter((lives) => isLong || lives % 5 === (at + stories.findIndex((one) => one === story)) % 5)
      .map((lives) => ({ story, lives, last })),
  )

/** How often a story writes when nobody kills it. */
const countWrites = (story: string): Effect.Effect<number> =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(home, "count-"))
    yield* live(folder, { story, lives: 0, last: "whole" })
    const [, writes] = diary(folder).find(([what]) => what === "writes") ?? []
    return Number(writes)
  })

describe("a process that is killed at a write of its log", () => {
  it(
    "is gone on with: no message or result is lost, nothing unsafe runs twice, the log is lawful",
    { timeout: 600_000 },
    () =>
      Effect.runPromise(
        Effect.gen(function* () {
          for (const story of stories) {
            const points = pointsOf(story, yield* countWrites(story))
            const lived = yield* Effect.forEach(
              points,
              (point) => Effect.map(survive(point), (found) => ({ point, found })),
              { concurrency: availableParallelism() },
            )
            const found = lived.flatMap(({ point, found: one }) =>
              one === undefined ? [] : [{ point, ...one }],
            )
            for (const { point, damage } of found) expect({ point, damage }).toEqual({ point, damage: none })
            expect(found.length).toBeGreaterThan(1)
            expect(found.some(({ resumed }) => resumed)).toBe(true)
            const sum = (field: "forgottenMessages" | "unloggedBodies" | "lostResults" | "doubledBodies") =>
              found.reduce((total, { damage }) => total + damage[field], 0)
            report(
              `killed ${story}: ${found.length} points, ${found.filter(({ resumed }) => resumed).length} turns resumed, ` +
                `acknowledged messages not in the log ${sum("forgottenMessages")}, bodies without a call in it ${sum("unloggedBodies")}, results lost ${sum("lostResults")}, ` +
                `unsafe bodies run twice ${sum("doubledBodies")}, lawful ${found.length}/${found.length}, ` +
                `next requests valid ${found.length}/${found.length}`,
            )
          }
        }),
      ),
  )
})
