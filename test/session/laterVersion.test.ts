/** A log of a later version is for looking at, not for writing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterEach, beforeEach, expect } from "vitest"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { number } from "../store/logs.ts"
import { jsonlIn } from "../store/stores.ts"
import * as Draft from "./drafts.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "later-version-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const rows = [
  '{"seq":0,"at":1,"type":"session/start","data":{"version":2,"id":"s","createdAt":1,"mood":"good"}}',
  LogFile.encode(
    number([Draft.user("zero"), Draft.user("m1", "hello"), Draft.turnStart(1, "m1")]).slice(1),
  ).trimEnd(),
  '{"seq":3,"at":4,"type":"turn/pause","data":{"big":12345678901234567890},"why":"lunch"}',
  '{"seq":4,"at":5,"type":"vendor:note","v":3,"data":[1]}',
]
const text = `${rows.join("\n")}\n`
const write = (log: string) => writeFileSync(join(directory, "s.jsonl"), log)
const run = <A, E>(effect: Effect.Effect<A, E, Effect.Services<ReturnType<typeof SessionLog.open>>>) =>
  Effect.suspend(() => Effect.scoped(effect).pipe(Effect.provide(jsonlIn(directory))))

describe("a session that a later version wrote", () => {
  it.effect("is read, with what this version does not know left as it stands", () =>
    Effect.gen(function* () {
      write(text)
      const log = yield* run(SessionLog.read("s"))
      expect(log.isOfLaterVersion).toBe(true)
      expect(log.events.map(({ type }) => type)).toEqual([
        "~2:session/start",
        "user/message",
        "turn/start",
        "~2:turn/pause",
        "vendor:note",
      ])
      // A row that has more than this version knows of rows is kept whole.
      expect(log.events[3]).toMatchObject({ data: { type: "turn/pause", why: "lunch" } })
      expect(log.events[4]).toMatchObject({ v: 3, data: [1] })
      expect(log.messages).toMatchObject([{ role: "user", content: [{ type: "text", text: "hello" }] }])
      expect(log.state.turnIsOpen).toBe(true)
    }),
  )

  it.effect("is not opened: the error says both versions, and the file stays as it is", () =>
    Effect.gen(function* () {
      write(`${text}{"seq":5,"at":6,"ty`)
      for (let n = 0; n < 2; n++) {
        expect(yield* Effect.flip(run(SessionLog.open("s")))).toMatchObject({
          _tag: "UnsupportedLogVersion",
          found: 2,
          supported: 1,
        })
      }
      expect(readFileSync(join(directory, "s.jsonl"), "utf8")).toBe(`${text}{"seq":5,"at":6,"ty`)
      expect(readdirSync(directory).sort()).toEqual(["s.jsonl", "s.lease"])
    }),
  )

  it.effect("is no log when a row of it is none, or when it turns later in the middle", () =>
    Effect.gen(function* () {
      write(`${text}{"seq":5}\n`)
      expect(yield* Effect.flip(run(SessionLog.read("s")))).toMatchObject({ _tag: "CorruptLog", line: 6 })
      write(
        `${text
          .replace('"version":2', '"version":1')
          .replace(',"mood":"good"', "")
          .replace(/.*turn\/pause.*\n/, "")}${rows[0]}\n`,
      )
      expect(yield* Effect.flip(run(SessionLog.open("s")))).toMatchObject({ _tag: "CorruptLog", line: 5 })
    }),
  )
})

describe("reading a session", () => {
  it.effect("takes nothing from who holds it, and finds no session where none was begun", () =>
    run(
      Effect.gen(function* () {
        const session = yield* SessionLog.create({ id: "mine" })
        yield* session.append("written", () => [Draft.user("m1"), Draft.turnStart(1, "m1")])
        const seen = yield* SessionLog.read("mine")
        expect(seen).toMatchObject({ isOfLaterVersion: false, state: session.state() })
        expect(seen.events).toEqual(session.log())
        expect(seen.messages).toEqual(session.messages())
        write("")
        expect((yield* Effect.flip(SessionLog.read("s")))._tag).toBe("SessionNotFound")
      }),
    ),
  )
})
