/** What neighbours' logs died of, each as a law about the whole kind. The numbers are those of the collected cases. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result, type Scope } from "effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { CorruptLog, UnsupportedLogVersion } from "../../src/event/EventError.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import type { SessionStore } from "../../src/store/SessionStore.ts"
import { elsewhere, putLease } from "../lease/holders.ts"
import { runs } from "../runs.ts"
import { arbitrarySession } from "../session/arbitrarySession.ts"
import * as Draft from "../session/drafts.ts"
import { begin, number } from "./logs.ts"
import { quickDirectory } from "./scale.ts"
import { jsonlIn } from "./stores.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(quickDirectory, "cases-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

let logs = 0
/** A log of its own for each run, so that runs do not meet. */
const put = (bytes: Uint8Array | string) => {
  const id = `s${logs++}`
  const file = join(directory, `${id}.jsonl`)
  writeFileSync(file, bytes)
  return { id, file }
}

const run = <A, E>(effect: Effect.Effect<A, E, SessionStore | Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(effect).pipe(Effect.provide(jsonlIn(directory))))

const bytes = (text: string) => new TextEncoder().encode(text)
const session = arbitrarySession.map((drafts) => number([begin("s"), ...drafts]))
const withoutTimes = (events: ReadonlyArray<SessionEvent>) => events.map(({ at: _, ...event }) => event)

describe("bug-068, a torn tail", () => {
  it("is cut before the next append, crash after crash, and what was whole before it stays", async () => {
    const crash = fc.record({ lost: fc.integer({ min: 1, max: 60 }), junk: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(session, fc.array(crash, { minLength: 1, maxLength: 4 }), async (events, crashes) => {
        const { id, file } = put(LogFile.encode(events))
        let kept = events
        for (const [n, { lost, junk }] of crashes.entries()) {
          const length = readFileSync(file).length
          // The first row stays, for without it there is no session.
          truncateSync(file, Math.max(readFileSync(file).indexOf("\n") + 1, length - lost))
          if (junk) appendFileSync(file, '{"seq":1,"at":')
          const left = Result.getOrThrow(LogFile.parse(readFileSync(file))).events
          expect(left).toEqual(kept.slice(0, left.length))
          const log = await run(
            Effect.gen(function* () {
              const open = yield* SessionLog.open(id)
              yield* open.append("synced", () => [Draft.context(`after-${n}`)])
              return open.log()
            }),
          )
          expect(log.slice(0, -1)).toEqual(left)
          kept = log
          expect(Result.getOrThrow(LogFile.parse(readFileSync(file)))).toMatchObject({
            events: kept,
            wholeBytes: readFileSync(file).length,
          })
        }
      }),
      { numRuns: runs(25) },
    )
  })
})

describe("bug-069, NUL bytes", () => {
  it("never make a log shorter in silence: it is refused with the place, or they are its torn tail", () => {
    fc.assert(
      fc.property(
        session,
        fc.nat(),
        fc.integer({ min: 1, max: 5000 }),
        fc.boolean(),
        (events, at, size, over) => {
          const whole = bytes(LogFile.encode(events))
          const from = at % (whole.length + 1)
          const rest = whole.subarray(over ? Math.min(whole.length, from + size) : from)
          const damaged = Buffer.concat([whole.subarray(0, from), new Uint8Array(size), rest])
          const read = LogFile.parse(damaged)
          const line = damaged.subarray(0, from).filter((byte) => byte === 0x0a).length + 1
          if (Result.isFailure(read)) expect(read.failure).toMatchObject({ line })
          else expect(damaged.indexOf(0x0a, from)).toBe(-1)
        },
      ),
    )
  })
})

describe("bug-072, separators of lines that are none in JSON", () => {
  it("come back in every text, one row a line", async () => {
    const separator = fc.constantFrom("\u2028", "\u2029", "\u0085", "\v", "\f", "\r", "\n", "\r\n", "a")
    const text = fc.array(separator, { maxLength: 8 }).map((parts) => parts.join(""))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
        const events = number([begin("s"), ...texts.map((said, n) => Draft.user(`m${n}`, said))])
        // As others write them: raw in the file.
        const { id, file } = put(LogFile.encode(events))
        expect(readFileSync(file).filter((byte) => byte === 0x0a)).toHaveLength(events.length)
        expect(await run(Effect.map(SessionLog.read(id), (log) => log.events))).toEqual(events)
      }),
      { numRuns: runs(40) },
    )
  })
})

describe("bug-074, an event type that nobody here knows", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  const type = fc.tuple(word, word).map(([vendor, name]): `${string}:${string}` => `${vendor}:${name}`)

  it("is refused at append unless it is registered, and never keeps a session from being opened", async () => {
    await fc.assert(
      fc.asyncProperty(type, fc.jsonValue(), async (name, data) => {
        const plain: unknown = JSON.parse(JSON.stringify(data).replaceAll("-0", "0"))
        const start = LogFile.encode(number([begin("s")]))
        const row = `{"seq":1,"at":2,"type":"${name}","v":7,"data":${JSON.stringify(plain)}}\n`
        const { id, file } = put(start + row)
        // Taken from somebody who may still write, so that the log is written anew.
        putLease(join(directory, `${id}.lease`), 1, elsewhere, '{"released":"after a failed write"}')
        const refused = await run(
          Effect.gen(function* () {
            const open = yield* SessionLog.open(id)
            expect(open.log().at(1)).toMatchObject({ type: name, v: 7, data: plain })
            yield* open.append("synced", () => [Draft.user("m1")])
            return yield* Effect.flip(open.append("synced", () => [{ type: name, v: 7, data: plain }]))
          }),
        )
        expect(refused).toMatchObject({ _tag: "EventRejected", rule: "log.version" })
        const copy = readFileSync(file.replace(".jsonl", "~2.jsonl"), "utf8")
        expect(copy.startsWith(start + row)).toBe(true)
      }),
      { numRuns: runs(25) },
    )
  })

  it("keeps its bytes even where a number is more than a double can hold", async () => {
    const row = '{"seq":1,"at":2,"type":"acme:id","data":{"id":12345678901234567890}}\n'
    const { id, file } = put(LogFile.encode(number([begin("s")])) + row)
    putLease(join(directory, `${id}.lease`), 1, elsewhere, '{"released":"after a failed write"}')
    await run(Effect.flatMap(SessionLog.open(id), (open) => open.append("synced", () => [Draft.user("m1")])))
    expect(readFileSync(file.replace(".jsonl", "~2.jsonl"), "utf8")).toContain(row)
  })
})

describe("bug-076, a log of a later version", () => {
  it("is refused by name with both versions, whatever else is in it, and stays as it is", async () => {
    const later = fc.integer({ min: 2, max: 1_000 })
    await fc.assert(
      fc.asyncProperty(
        later,
        fc.dictionary(fc.string(), fc.jsonValue()),
        session,
        async (version, more, events) => {
          const data = JSON.stringify({ ...more, version, id: "s" })
          const [, ...rest] = LogFile.encode(events).split("\n")
          const text = `{"seq":0,"at":1,"type":"session/start","data":${data}}\n${rest.join("\n")}`
          const { id, file } = put(text)
          const error = await run(Effect.flip(SessionLog.open(id)))
          expect(error).toBeInstanceOf(UnsupportedLogVersion)
          expect(error).toMatchObject({
            found: version,
            supported: 1,
            message: expect.stringContaining(`${version}`),
          })
          expect(readFileSync(file, "utf8")).toBe(text)
          const seen = await run(Effect.result(SessionLog.read(id)))
          // A -0 is the one thing that JSON text can say and the log cannot hold.
          if (Result.isFailure(seen)) expect(seen.failure).toBeInstanceOf(CorruptLog)
          else expect(withoutTimes(seen.success.events).slice(1)).toEqual(withoutTimes(events).slice(1))
        },
      ),
      { numRuns: runs(25) },
    )
  })
})

describe("a clock that steps back", () => {
  it("writes a lawful log, which is opened again", async () => {
    const times = fc.array(fc.integer({ min: -8.64e15, max: 8.64e15 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(times, async (ats) => {
        const events = number([begin("s"), ...ats.map((_, n) => Draft.user(`m${n}`))])
        const stamped = events.map((event, index) => ({ ...event, at: ats[index - 1] ?? 0 }))
        const { id } = put(LogFile.encode(stamped))
        const log = await run(Effect.map(SessionLog.open(id), (open) => open.log()))
        expect(log).toEqual(stamped)
      }),
      { numRuns: runs(25) },
    )
  })
})
