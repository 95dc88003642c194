import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import * as Ancestry from "../../src/contract/Ancestry.ts"
import { logRules } from "../../src/invariant/Rules.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as Mutants from "../../src/mutant/Mutants.ts"
import { drafts, number, story } from "../../src/mutant/Story.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { judgeBytes, judgeFile, type Options } from "../../src/verdict/Judge.ts"
import * as Verdict from "../../src/verdict/Verdict.ts"
import { inFolder, lawful } from "./files.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const judge = (text: string, options?: Options) => judgeBytes("log", Stream.make(bytes(text)), options)
const found = ({ violations }: Verdict.Verdict) => violations.map(({ rule, line }) => [rule, line])
const lines = lawful.split("\n")
const withLine = (at: number, line: string) =>
  [...lines.slice(0, at), line, ...lines.slice(at + 1)].join("\n")

describe("judging a log piece by piece", () => {
  it.effect("finds what the verifier finds in one that was never begun", () =>
    Effect.gen(function* () {
      const [unbegun] = Verifier.verify([])
      for (const text of ["", '{"seq":0,"at'])
        expect((yield* judge(text)).violations).toEqual([{ ...unbegun, line: 1, byteOffset: 0 }])
    }),
  )

  it.effect("finds what the verifier finds in the whole, for every mutant", () =>
    Effect.gen(function* () {
      for (const { log } of Mutants.all) {
        const events = number(log)
        const text = LogFile.encode(events)
        const { violations } = yield* judge(text)
        const whole = LogFile.parse(bytes(text))
        if (whole._tag === "Failure") continue
        const places = new Map(events.map(({ seq }, index) => [seq, whole.success.placeOf(index)]))
        expect(violations).toEqual(
          Verifier.verify(whole.success.events).map((violation) => ({
            ...violation,
            ...places.get(violation.seq),
          })),
        )
      }
    }),
  )

  it.effect("says the same in pieces of any size", () =>
    Effect.gen(function* () {
      const text = bytes(withLine(4, "garbage"))
      const whole = yield* judgeBytes("log", Stream.make(text))
      for (const size of [1, 7, 100]) {
        const count = Math.ceil(text.length / size)
        const pieces = Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
        expect(yield* judgeBytes("log", Stream.fromIterable(pieces))).toEqual(whole)
      }
    }),
  )

  it.effect("goes on behind a line that it cannot read", () =>
    Effect.gen(function* () {
      const verdict = yield* judge(withLine(1, '{"seq":1,"at":1,"type":"user/massage","data":{}}'))
      expect(found(verdict).slice(0, 2)).toEqual([
        ["log.version", 2],
        ["log.seq", 3],
      ])
      expect(verdict.events).toBe(story.length - 1)
    }),
  )

  it.effect("stops at a log of a later version, which it cannot understand", () =>
    Effect.gen(function* () {
      const later = '{"seq":0,"at":1,"type":"session/start","data":{"version":99}}\nnews\nnews\n'
      expect(found(yield* judge(later))).toEqual([["log.version", 1]])
    }),
  )

  it.effect("calls a log without a line no log", () =>
    Effect.gen(function* () {
      for (const text of ["", "\ufeff", '{"seq":0']) {
        expect(found(yield* judge(text))).toEqual([["log.start", 1]])
      }
    }),
  )

  it.effect(
    "allows CR before LF and a byte order mark, and tells of an open turn and an unfinished line",
    () =>
      Effect.gen(function* () {
        const verdict = yield* judge(`\ufeff${lines.slice(0, 5).join("\r\n")}\r\n${lines[5]?.slice(0, 9)}`)
        expect(Verdict.isLawful(verdict)).toBe(true)
        expect(verdict.unfinished).toEqual([
          expect.stringContaining("turn 1 is open"),
          expect.stringContaining("unfinished (9 bytes)"),
        ])
      }),
  )

  it.effect("lists as many violations as it is told, and counts all", () =>
    Effect.gen(function* () {
      const verdict = yield* judge(`${lawful}${"garbage\n".repeat(30)}`, { limit: 4 })
      expect(verdict.violations).toHaveLength(4)
      expect(verdict.broken).toEqual(new Map([["log.lossless", 30]]))
      expect(Verdict.toJson(verdict).more).toBe(26)
    }),
  )

  it.effect("hears of every byte", () =>
    Effect.gen(function* () {
      let heard = 0
      yield* judge(lawful, { onBytes: (count) => Effect.sync(() => void (heard += count)) })
      expect(heard).toBe(bytes(lawful).length)
    }),
  )
})

const fork = (at: number) => {
  const parent = { id: "story", seq: at, digest: Ancestry.digest(story, at) }
  const start = { type: "session/start", data: { version: 1, id: "fork", createdAt: 0, parent } } as const
  return LogFile.encode(number([start, ...drafts.slice(1, at + 1)]))
}

describe("a fork", () => {
  it.effect("is what its parent in the same folder is, event by event", () =>
    inFolder({ "fork.jsonl": fork(9), "story.jsonl": lawful }, (folder) =>
      Effect.gen(function* () {
        expect(yield* judgeFile(`${folder}/fork.jsonl`)).toMatchObject({ violations: [] })
      }),
    ),
  )

  it.effect("is unlawful where its parent has another event", () =>
    inFolder({ "fork.jsonl": fork(9), "story.jsonl": lawful.replace("words of", "letters of") }, (folder) =>
      Effect.gen(function* () {
        const { violations } = yield* judgeFile(`${folder}/fork.jsonl`)
        const seq = story.findIndex((event) => JSON.stringify(event).includes("words of"))
        expect(violations).toMatchObject([{ rule: "fork.prefix", seq, line: seq + 1 }])
        const rules = logRules.filter(({ id }) => id !== "fork.prefix")
        expect(yield* judgeFile(`${folder}/fork.jsonl`, { rules })).toMatchObject({ violations: [] })
      }),
    ),
  )

  it.effect("is unlawful when it ends within what it shares with its parent, which need not be there", () => {
    const short = `${fork(9).split("\n").slice(0, 3).join("\n")}\n`
    const broken = [
      { rule: "fork.prefix", seq: 3, line: 3, message: expect.stringMatching(/broke off .* after 3 events/) },
    ]
    return inFolder({ "fork.jsonl": short, "with/fork.jsonl": short, "with/story.jsonl": lawful }, (folder) =>
      Effect.gen(function* () {
        for (const file of ["fork.jsonl", "with/fork.jsonl"])
          expect(yield* judgeFile(`${folder}/${file}`)).toMatchObject({ violations: broken })
        expect(yield* judge(short)).toMatchObject({ violations: broken })
        const rules = logRules.filter(({ id }) => id !== "fork.prefix")
        expect(yield* judge(short, { rules })).toMatchObject({ violations: [] })
        expect(yield* judge(fork(9))).toMatchObject({ violations: [] })
      }),
    )
  })

  it.effect("is not judged by a parent that cannot be read", () =>
    inFolder({ "fork.jsonl": fork(9), "story.jsonl": "garbage\n" }, (folder) =>
      Effect.gen(function* () {
        expect(yield* judgeFile(`${folder}/fork.jsonl`)).toMatchObject({ violations: [] })
      }),
    ),
  )
})

describe("a verdict in words", () => {
  const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

  it.effect("says what to do once a rule, and how many more there are of which", () =>
    Effect.gen(function* () {
      const start = story[0]
      const again = Array.from({ length: 3 }, (_, at) => ({ ...start, seq: story.length + at }))
      const text = `${lawful}${again.map((row) => `${JSON.stringify(row)}\n`).join("")}garbage\n`
      const words = Verdict.toText(yield* judge(text, { limit: 2 }), paint)
      expect(words).toContain(`✗ unlawful log · ${story.length + 3} events · 4 violations\n`)
      expect(words.match(/Create the session with/g)).toHaveLength(1)
      expect(words).toContain("… 2 more: 1 of log.start, 1 of log.lossless (--limit 0 prints all)\n")
    }),
  )

  it("lets no text of a log drive the terminal", () => {
    const hostile = "\u001b]0;x\u0007\nline"
    const verdict: Verdict.Verdict = {
      file: hostile,
      events: 1,
      violations: [{ rule: "log.start", seq: 0, message: hostile, hint: hostile, line: 1, byteOffset: 0 }],
      broken: new Map([["log.start", 1]]),
      unfinished: [],
    }
    const words = Verdict.toText(verdict, paint)
    expect(words).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    expect(words).not.toMatch(/^line/m)
  })
})

function same(text: string): string {
  return text
}
