/**
 * Two processes fight over one session while they are stopped, continued and killed.
 *
 * Source: PROTOCOL "One writer"; a second writer on one file is how neighbours lose sessions.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { build } from "esbuild"
import { expect } from "vitest"
import { randomOf } from "../../src/conformance/makeEvents.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import { findLogs } from "../../src/store/findLog.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { isLong, report } from "./scale.ts"

interface Fight {
  readonly acknowledged: Array<string>
  readonly ends: Map<string, number>
  readonly complaints: Array<string>
  readonly living: Set<ChildProcess>
  kills: number
  stops: number
  isOver: boolean
}

const makeFight = (): Fight => ({
  acknowledged: [],
  ends: new Map(),
  complaints: [],
  living: new Set(),
  kills: 0,
  stops: 0,
  isOver: false,
})

/** Start a fighter, and another one in its place whenever it dies. */
const enter = (fight: Fight, program: string, directory: string, name: string, seed: number) => {
  if (fight.isOver) return
  const child = spawn(process.execPath, [program, directory, name, String(seed)])
  fight.living.add(child)
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [what, ...rest] = line.split(" ")
    const text = rest.join(" ")
    if (what === "ack") fight.acknowledged.push(text)
    else fight.ends.set(text, (fight.ends.get(text) ?? 0) + 1)
  })
  child.stderr.on("data", (data) => fight.complaints.push(String(data)))
  child.on("exit", () => {
    fight.living.delete(child)
    enter(fight, program, directory, name, seed + 1)
  })
}

const pick = <A>(items: ReadonlyArray<A>, random: () => number): A | undefined =>
  items[Math.floor(random() * items.length)]

/** Disturb them for so long: continue those that are stopped, by us or by themselves, stop some, kill a few. */
const disturb = Effect.fnUntraced(function* (fight: Fight, random: () => number, millis: number) {
  const end = Date.now() + millis
  while (Date.now() < end) {
    yield* Effect.sleep(10 + random() * 60)
    for (const child of fight.living) if (random() < 0.4) child.kill("SIGCONT")
    const child = pick([...fight.living], random)
    const chance = random()
    if (chance < 0.06) {
      child?.kill("SIGKILL")
      fight.kills++
    } else if (chance < 0.3) {
      child?.kill("SIGSTOP")
      fight.stops++
    }
  }
  fight.isOver = true
  // First those who were stopped get the chance to do harm.
  for (const child of fight.living) child.kill("SIGCONT")
  yield* Effect.sleep(300)
  const deaths = [...fight.living].map((child) =>
    Effect.callback<void>((resume) => {
      child.on("close", () => resume(Effect.void))
      child.kill("SIGKILL")
    }),
  )
  yield* Effect.all(deaths, { concurrency: "unbounded" })
})

const bundle = (outfile: string) =>
  build({
    entryPoints: [join(import.meta.dirname, "fighter.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  })

const duplicatesOf = <A>(items: ReadonlyArray<A>) =>
  items.filter((item, index) => items.indexOf(item) !== index)

describe("two processes that fight over one session", () => {
  it.live(
    "lose nothing that was acknowledged, and leave one lawful log",
    () =>
      Effect.gen(function* () {
        const seed = isLong ? Date.now() % 1_000_000 : 7
        const base = mkdtempSync(join(tmpdir(), "fight-"))
        const directory = join(base, "sessions")
        const program = join(base, "fighter.mjs")
        yield* Effect.promise(() => bundle(program))
        const fight = makeFight()
        enter(fight, program, directory, "a", seed)
        enter(fight, program, directory, "b", seed + 1_000_000)
        yield* disturb(fight, randomOf(seed), isLong ? 30_000 : 4_000)

        const logs = findLogs(readdirSync(directory))
        const bytes = readFileSync(join(directory, logs[0]?.name ?? "none"))
        rmSync(base, { recursive: true })
        const { events } = Result.getOrThrow(LogFile.parse(bytes))
        const messages = events.flatMap((event) =>
          event.type === "user/message" || event.type === "context/message" ? [event.data.messageId] : [],
        )
        const kept = new Set(messages)
        const lost = fight.acknowledged.filter((id) => !kept.has(id))
        const ends = [...fight.ends].map(([end, count]) => `${end} ${count}`).join(", ")
        report(
          `fight: seed ${seed}, ${fight.stops} stops from outside, ${fight.kills} kills, ${logs[0]?.number} the number of the last copy, ${events.length} events, ${fight.acknowledged.length} acknowledged, ${lost.length} lost; ends: ${ends}`,
        )
        const unexpected = [...fight.ends.keys()].filter(
          (end) => !["let go", "SessionBusy", "SessionFenced", "SessionPoisoned"].includes(end),
        )
        const { complaints } = fight
        expect({ seed, complaints, lost, unexpected, doubled: duplicatesOf(messages) }).toEqual({
          seed,
          complaints: [],
          lost: [],
          unexpected: [],
          doubled: [],
        })
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
        expect(Verifier.verify(events)).toEqual([])
        expect(fight.acknowledged.length).toBeGreaterThan(10)
      }),
    120_000,
  )
})
