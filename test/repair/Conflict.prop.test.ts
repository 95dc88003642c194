/**
 * Whatever event stands in a log twice and not the same, in whichever order: it is told, and where the log proves which
 * one is right, that one is kept.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as EventCodec from "../../src/event/EventCodec.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { logRules } from "../../src/invariant/Rules.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as Proposal from "../../src/repair/Proposal.ts"
import * as Replay from "../../src/replay/Replay.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import * as Salvage from "../../src/store/Salvage.ts"

const file = join(import.meta.dirname, "../../docs/examples/logs/lawful.jsonl")
const log = Result.getOrThrow(LogFile.parse(readFileSync(file))).events
const rows = log.map((event) => LogFile.encode([event]))

const propose = (text: string) => {
  const bytes = Stream.make(new TextEncoder().encode(text))
  const asked = { bytes, find: () => Effect.succeed(undefined), rules: logRules, at: 5 }
  return Effect.runSync(
    Effect.gen(function* () {
      const { events, ...made } = yield* Proposal.propose(asked)
      return { ...made, events: [...(yield* Stream.runCollect(events)).flat(), ...made.added] }
    }),
  )
}

/** The value with each of its leaves changed, one at a time. */
const changes = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "string") return [`${value}!`]
  if (typeof value === "number") return [value + 1]
  if (typeof value === "boolean") return [!value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    changes(member).map((changed) =>
      Array.isArray(value)
        ? value.map((one, at) => (String(at) === key ? changed : one))
        : { ...value, [key]: changed },
    ),
  )
}

/** Every event that can stand in the place of this one, and is not the same. */
const rivalsOf = ({ data, ...row }: SessionEvent): ReadonlyArray<SessionEvent> =>
  [...changes(data).map((changed) => ({ ...row, data: changed })), { ...row, at: row.at + 1, data }].flatMap(
    (rival) =>
      Result.match(EventCodec.fromRow(rival), { onFailure: () => [], onSuccess: (event) => [event] }),
  )

/** The log with these rows at the place of one. */
const withRows = (seq: number, some: ReadonlyArray<SessionEvent>): string =>
  [...rows.slice(0, seq), ...some.map((event) => LogFile.encode([event])), ...rows.slice(seq + 1)].join("")

/** Units: cases, of which one is tried; all of them with LONG=1. */
const stride = process.env["LONG"] === "1" ? 1 : 5
const cases = log.flatMap((event) => rivalsOf(event).map((rival) => ({ event, rival })))

const contentOf = (data: unknown): unknown =>
  typeof data === "object" && data !== null && "content" in data ? JSON.stringify(data.content) : undefined

/** What a later request carries, so that its digest proves it. */
const isProvable = ({ event: { seq, type, data }, rival }: (typeof cases)[number]): boolean =>
  (type === "tool/result" || type === "user/message") && seq < 30 && contentOf(data) !== contentOf(rival.data)

describe("two different rows of one seq", () => {
  it("are told in words, in both orders, and a proof keeps the right one", () => {
    expect(cases.length).toBeGreaterThan(150)
    const tried = cases.filter((each, at) => isProvable(each) || at % stride === 0)
    const inBothOrders = tried.flatMap((one) => [
      { ...one, pair: [one.event, one.rival] },
      { ...one, pair: [one.rival, one.event] },
    ])
    for (const { event, rival, pair } of inBothOrders) {
      const { seq } = event
      const made = propose(withRows(seq, pair))
      const proofs = made.conflicts.map(({ proof }) => proof)
      const isProved = proofs[0] !== undefined
      const words = made.leftOut.filter(({ reason }) => reason.startsWith(`two different rows of seq ${seq}`))
      const seen = { events: made.events, times: words.length, isProved, isUnneeded: made.isUnneeded }
      const owed = isProved || isProvable({ event, rival }) ? log : log.with(seq, pair[0] ?? event)
      expect({ pair, ...seen, seqs: made.conflicts.map(({ seqs }) => seqs) }).toEqual({
        pair,
        ...{ events: owed, times: 1, isProved: isProved || isProvable({ event, rival }), isUnneeded: false },
        seqs: [[seq]],
      })
      expect(Verifier.verify(made.events)).toEqual([])
      if (isProved) expect(Replay.replay(made.events).differences).toEqual([])
    }
  })

  it("are chosen together where they stood in one row, also when a third one is there", () => {
    const text = (event: SessionEvent, more: string): SessionEvent =>
      event.type === "assistant/chunk" && event.data.chunk.type === "text-delta"
        ? {
            ...event,
            data: { ...event.data, chunk: { ...event.data.chunk, text: `${more}${event.data.chunk.text}` } },
          }
        : event
    const answer = log.slice(5, 14)
    const versions = ["x", "", "y"].map((more) => LogFile.encode(answer.map((event) => text(event, more))))
    const made = propose([...rows.slice(0, 5), ...versions, ...rows.slice(14)].join(""))
    expect(made.events).toEqual(log)
    expect(
      made.conflicts.map(({ proof, ...places }) => [places.kept.line, places.leftOut.line, proof]),
    ).toEqual([
      [7, 6, expect.stringContaining("chunk.")],
      [6, 8, expect.stringContaining("chunk.")],
    ])
  })

  it("are more than can be weighed: the first stays, and nothing is called proved", () => {
    const twice = log.flatMap((event) => [event, { ...event, at: event.at + 1 }])
    const made = propose(twice.map((event) => LogFile.encode([event])).join(""))
    expect(made.events).toEqual(log)
    expect(made.conflicts.map(({ proof }) => proof)).toEqual(log.map(() => undefined))
  })

  it("are not what a copy is, whatever the order of its keys", () => {
    const turned = (value: unknown): unknown =>
      typeof value !== "object" || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, member]) => [key, turned(member)]),
          )
    const copies = log.map((event, seq) => (rows[seq] ?? "") + `${JSON.stringify(turned(event))}\n`)
    const made = propose(copies.join(""))
    expect(made).toMatchObject({ events: log, conflicts: [] })
    expect(made.leftOut.every(({ reason }) => reason.includes("stands earlier in the log"))).toBe(true)
  })

  it("are named by a salvage as well, which keeps the first", () => {
    const [event] = log.slice(28)
    const [rival] = event === undefined ? [] : rivalsOf(event)
    const text = event && rival && withRows(28, [rival, event])
    const { events, gaps } = Salvage.salvage(new TextEncoder().encode(text))
    expect(events[28]).toEqual(rival)
    expect(gaps.map(({ line, reason }) => [line, reason])).toEqual([
      [30, "two different rows of seq 28: line 29 has the one that is kept; what stands here is left out"],
    ])
  })
})
