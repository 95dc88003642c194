/** Bytes of logs are cut, flipped, inserted and spliced: a load says where it cannot read, and drops nothing in silence. */
import { describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { randomOf } from "../../src/conformance/makeEvents.ts"
import { CorruptLog, UnsupportedLogVersion } from "../../src/event/EventError.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { readLine } from "../../src/store/readLine.ts"
import * as Salvage from "../../src/store/Salvage.ts"
import { arbitrarySession } from "../session/arbitrarySession.ts"
import * as StubStore from "../session/stubStore.ts"
import { begin, number, small } from "./logs.ts"
import { isLong, report } from "./scale.ts"

const encode = (text: string) => new TextEncoder().encode(text)

const logsOf = (seed: number): ReadonlyArray<Uint8Array> => [
  encode(LogFile.encode(small)),
  ...fc
    .sample(arbitrarySession, { seed, numRuns: 30 })
    .map((drafts) => encode(LogFile.encode(number([begin("s"), ...drafts])))),
]

const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** One thing that can happen to a file. */
type Mutation = (bytes: Uint8Array, below: (limit: number) => number) => Uint8Array

const range = (bytes: Uint8Array, below: (limit: number) => number): readonly [number, number] => {
  const from = below(bytes.length + 1)
  return [from, from + below(Math.min(200, bytes.length - from) + 1)]
}

const lineAt = (bytes: Uint8Array, at: number): readonly [number, number] => [
  bytes.lastIndexOf(0x0a, Math.max(0, at - 1)) + 1,
  bytes.indexOf(0x0a, at) === -1 ? bytes.length : bytes.indexOf(0x0a, at) + 1,
]

const mutations: Readonly<Record<string, Mutation>> = {
  cut: (bytes, below) => {
    const [from, to] = range(bytes, below)
    return concat(bytes.subarray(0, from), bytes.subarray(to))
  },
  end: (bytes, below) => bytes.slice(0, below(bytes.length + 1)),
  flip: (bytes, below) => {
    const flipped = bytes.slice()
    const at = below(bytes.length)
    flipped[at] = (bytes[at] ?? 0) ^ (1 << below(8))
    return flipped
  },
  insert: (bytes, below) => {
    const at = below(bytes.length + 1)
    const junk = [0, 0x0a, 0x0d, 0xff, 0x7b, 0x22, 0x20, below(256)]
    const kind = below(junk.length)
    return concat(
      bytes.subarray(0, at),
      new Uint8Array(1 + below(20)).fill(junk[kind] ?? 0),
      bytes.subarray(at),
    )
  },
  zero: (bytes, below) => {
    const [from, to] = range(bytes, below)
    return bytes.slice().fill(0, from, to)
  },
  splice: (bytes, below) => {
    const [from, to] = range(bytes, below)
    const at = below(bytes.length + 1)
    return concat(bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at))
  },
  repeat: (bytes, below) => {
    const [from, to] = lineAt(bytes, below(bytes.length))
    const [at] = lineAt(bytes, below(bytes.length))
    return concat(bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at))
  },
  lose: (bytes, below) => {
    const [from, to] = lineAt(bytes, below(bytes.length))
    return concat(bytes.subarray(0, from), bytes.subarray(to))
  },
}

interface Line {
  readonly line: number
  readonly byteOffset: number
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

const linesOf = (bytes: Uint8Array): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (start < bytes.length) {
    const feed = bytes.indexOf(0x0a, start)
    const end = feed === -1 ? bytes.length : feed
    lines.push({
      line: lines.length + 1,
      byteOffset: start,
      bytes: bytes.subarray(start, end),
      isWhole: feed !== -1,
    })
    start = end + 1
  }
  return lines
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1")

/** What each line of the log said before anything happened to it. */
const saidBy = (original: Uint8Array): ReadonlyMap<string, ReadonlyArray<SessionEvent>> =>
  new Map(linesOf(original).map(({ bytes }) => [textOf(bytes), Result.getOrThrow(readLine(bytes, 1))]))

type Said = ReturnType<typeof saidBy>

const show = (events: ReadonlyArray<SessionEvent>) => new Set(events.map((event) => JSON.stringify(event)))

/** Load as a session does; say how it ended. */
const load = (mutated: Uint8Array, said: Said) =>
  Effect.gen(function* () {
    const lines = linesOf(mutated)
    const checkPlace = (error: CorruptLog) => {
      const line = lines.find(({ byteOffset }) => byteOffset === error.byteOffset)
      expect(line?.line).toBe(error.line)
      expect(error.rule).not.toBe("")
    }
    const parsed = LogFile.parse(mutated)
    if (Result.isFailure(parsed)) {
      if (parsed.failure instanceof UnsupportedLogVersion) return "later version" as const
      checkPlace(parsed.failure)
      return "unreadable" as const
    }
    const { events, placeOf, wholeBytes } = parsed.success
    const there = show(events)
    for (const line of lines) {
      if (!line.isWhole) {
        expect(wholeBytes).toBe(line.byteOffset)
        continue
      }
      for (const event of said.get(textOf(line.bytes)) ?? []) {
        expect(there.has(JSON.stringify(event))).toBe(true)
      }
    }
    const { layer } = StubStore.make(0, { events, placeOf })
    const opened = yield* Effect.result(Effect.scoped(SessionLog.open("s"))).pipe(Effect.provide(layer))
    if (Result.isSuccess(opened)) return "opened" as const
    if (opened.failure._tag === "SessionNotFound") return "empty" as const
    expect(opened.failure).toBeInstanceOf(CorruptLog)
    if (opened.failure instanceof CorruptLog) checkPlace(opened.failure)
    return "refused" as const
  })

/** Whatever is intact is kept, and whatever is not kept is named. */
const checkSalvage = (mutated: Uint8Array, said: Said) => {
  const { events, gaps, version, unbroken } = Salvage.salvage(mutated)
  const seqs = events.map(({ seq }) => seq)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  expect(seqs.slice(0, unbroken)).toEqual(seqs.slice(0, unbroken).map((_, index) => index))
  expect(seqs[unbroken]).not.toBe(unbroken)
  const there = show(events)
  for (const { line, byteOffset, bytes } of linesOf(mutated)) {
    const isNamed = gaps.some((gap) => gap.line === line && gap.byteOffset >= byteOffset)
    const intact = version === 1 ? said.get(textOf(bytes)) : undefined
    if (intact !== undefined) {
      expect(isNamed || intact.every((event) => there.has(JSON.stringify(event)))).toBe(true)
    }
    // Rows that were glued together may all be read.
    const rows = textOf(bytes).split(/(?=\{"seq":)/)
    const isRead = [[textOf(bytes)], rows].some((parts) =>
      parts.every((part) => Result.isSuccess(readLine(Buffer.from(part, "latin1"), version))),
    )
    if (!isRead) expect(isNamed).toBe(true)
  }
  const missing = Array.from({ length: Math.min(5_000, (seqs.at(-1) ?? -1) + 1) }, (_, seq) => seq)
  const present = new Set(seqs)
  for (const seq of missing) {
    if (present.has(seq)) continue
    expect(gaps.some((gap) => gap.seqs !== undefined && gap.seqs.from <= seq && seq <= gap.seqs.to)).toBe(
      true,
    )
  }
  for (const gap of gaps) expect(gap.byteOffset + gap.byteLength).toBeLessThanOrEqual(mutated.length)
  return gaps.length
}

describe("the bytes of a log", () => {
  it.effect(
    "are read, or refused with their place, whatever happens to them; salvage names all that it drops",
    () =>
      Effect.gen(function* () {
        const seed = isLong ? Date.now() % 1_000_000 : 20_260_101
        const runs = isLong ? 20_000 : 1_500
        const random = randomOf(seed)
        const below = (limit: number) => Math.floor(random() * limit)
        const logs = logsOf(seed).map((bytes) => ({ bytes, said: saidBy(bytes) }))
        const names = Object.keys(mutations)
        const ends = new Map<string, number>()
        let gaps = 0
        for (let run = 0; run < runs; run++) {
          const log = logs[below(logs.length)]
          if (log === undefined) continue
          const plan = Array.from({ length: 1 + below(3) }, () => names[below(names.length)] ?? "cut")
          const mutated = plan.reduce(
            (bytes, name) => (bytes.length === 0 ? bytes : (mutations[name]?.(bytes, below) ?? bytes)),
            log.bytes,
          )
          try {
            gaps += checkSalvage(mutated, log.said)
          } catch (cause) {
            throw new Error(`seed ${seed}, run ${run}, ${plan.join(", ")}: ${textOf(mutated)}`, { cause })
          }
          const end = yield* load(mutated, log.said).pipe(
            Effect.catchDefect((cause) =>
              Effect.die(
                new Error(`seed ${seed}, run ${run}, ${plan.join(", ")}: ${textOf(mutated)}`, { cause }),
              ),
            ),
          )
          ends.set(end, (ends.get(end) ?? 0) + 1)
        }
        const told = [...ends].map(([end, count]) => `${end} ${count}`).join(", ")
        report(
          `fuzz: seed ${seed}, ${runs} logs: ${told}; salvage named ${gaps} gaps; crashes 0, dropped unnamed 0`,
        )
        expect([...ends.keys()].sort()).toEqual(expect.arrayContaining(["opened", "refused", "unreadable"]))
      }),
    120_000,
  )
})
