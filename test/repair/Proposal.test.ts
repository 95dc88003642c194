import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import * as Ancestry from "../../src/contract/Ancestry.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as Mutants from "../../src/mutant/Mutants.ts"
import { drafts, find, number, story } from "../../src/mutant/Story.ts"
import { type Proposal, propose } from "../../src/repair/Proposal.ts"
import * as SessionState from "../../src/session/SessionState.ts"
import * as LogFile from "../../src/store/LogFile.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const proposal = (text: string | Uint8Array): Proposal =>
  Result.getOrThrow(propose(typeof text === "string" ? bytes(text) : text, 5))
const text = LogFile.encode(story)
const lines = text.trimEnd().split("\n")

/** Whatever is proposed is lawful and closed, and begins with what was there. */
const expectLawful = ({ events, kept, added, remains }: Proposal) => {
  expect(remains).toEqual([])
  expect(Verifier.verify(events)).toEqual([])
  expect(events.length).toBe(kept + added.length)
  expect(events.reduce(SessionState.next, SessionState.initial).turnIsOpen).toBe(false)
}

describe("a proposal", () => {
  it("is not needed for a lawful log without an open turn", () => {
    expect(proposal(text)).toMatchObject({ isUnneeded: true, events: story, leftOut: [], added: [] })
  })

  it("is lawful for every mutant of a log that has a beginning, and keeps what stands before the fault", () => {
    for (const { log, what } of Mutants.all) {
      const whole = LogFile.parse(bytes(LogFile.encode(number(log))))
      const events = Result.isSuccess(whole) ? whole.success.events : number(log)
      const [fault] = Verifier.verify(events)
      const made = proposal(LogFile.encode(events))
      if (made.events.length === 0) {
        expect([what, made.remains.map(({ rule }) => rule)]).toEqual([
          what,
          [expect.stringMatching(/^(log|fork)\./)],
        ])
        continue
      }
      expectLawful(made)
      expect(made.events.slice(0, made.kept)).toEqual(events.slice(0, made.kept))
      expect(made.kept).toBeGreaterThanOrEqual(Math.min(fault?.seq ?? 0, events.length) - 1)
    }
  })

  it("is lawful for every log that is cut off at any byte of its own, and loses no whole line", () => {
    fc.assert(
      fc.property(lawful, fc.nat(), (log, pick) => {
        const whole = bytes(LogFile.encode(log))
        const [start] = log
        const copied = start?.type === "session/start" ? (start.data.parent?.seq ?? 0) : 0
        const first = bytes(LogFile.encode(log.slice(0, copied + 1))).length
        const cut = whole.subarray(0, first + (pick % (whole.length - first + 1)))
        const made = proposal(cut)
        expectLawful(made)
        expect(made.kept).toBeGreaterThanOrEqual(Result.getOrThrow(LogFile.parse(cut)).events.length)
      }),
    )
  })

  it("of a proposal is not needed", () => {
    const made = proposal(LogFile.encode(story.slice(0, find("tool/call") + 1)))
    expect(made.added.map(({ type }) => type)).toContain("tool/result")
    expect(proposal(LogFile.encode(made.events)).isUnneeded).toBe(true)
  })

  it("puts lines in order, leaves out doubles and names them", () => {
    const swapped = [...lines.slice(0, 1), lines[2], lines[1], ...lines.slice(3)].join("\n")
    expect(proposal(`${swapped}\n`)).toMatchObject({ events: story, isUnneeded: false, leftOut: [] })
    const doubled = proposal(`${text}${lines.at(-1)}\n`)
    expect(doubled.events).toEqual(story)
    expect(doubled.leftOut).toEqual([
      {
        what: expect.stringContaining(`line ${lines.length + 1}`),
        reason: expect.stringContaining("stands earlier"),
      },
    ])
  })

  it("ends before the first event that is missing, and names what stands behind", () => {
    const made = proposal(`${[...lines.slice(0, 3), "garbage", ...lines.slice(4)].join("\n")}\n`)
    expectLawful(made)
    expect(made.kept).toBe(3)
    expect(made.leftOut.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^line 4, byte \d+ \(7 bytes\)$/),
      `seq 4 to ${story.length - 1}`,
    ])
  })

  it.each(["", "garbage\n", `${lines.slice(1).join("\n")}\n`])(
    "is nothing without a session/start",
    (log) => {
      expect(proposal(log)).toMatchObject({ events: [], remains: [{ rule: "log.start" }], isUnneeded: false })
    },
  )

  it("is nothing when a fork would lose what it shares with its parent", () => {
    const parent = { id: "story", seq: 9, digest: Ancestry.digest(story, 9) }
    const start = { type: "session/start", data: { version: 1, id: "fork", createdAt: 0, parent } } as const
    const rows = LogFile.encode(number([start, ...drafts.slice(1)])).split("\n")
    const made = proposal([...rows.slice(0, 2), "garbage", ...rows.slice(3)].join("\n"))
    expect(made).toMatchObject({ events: [], remains: [{ rule: "fork.prefix" }] })
  })

  it("is not made of a log of a later version", () => {
    const later = '{"seq":0,"at":1,"type":"session/start","data":{"version":99}}\n'
    expect(propose(bytes(later), 5)).toMatchObject({ failure: { _tag: "UnsupportedLogVersion" } })
  })
})
