import { Effect, Result, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import * as Ancestry from "../../src/contract/Ancestry.ts"
import * as Rule from "../../src/contract/Rule.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { logRules } from "../../src/invariant/Rules.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as Mutants from "../../src/mutant/Mutants.ts"
import { drafts, find, number, story } from "../../src/mutant/Story.ts"
import * as Proposal from "../../src/repair/Proposal.ts"
import * as SessionState from "../../src/session/SessionState.ts"
import * as LogFile from "../../src/store/LogFile.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** What is proposed in place of a log, in pieces of some bytes; `parent` is the log of any parent. */
const propose = (text: string | Uint8Array, { parent = "", size = 50, rules = logRules } = {}) => {
  const pieces = (whole: Uint8Array) =>
    Stream.range(0, Math.ceil(whole.length / size) - 1).pipe(
      Stream.map((at) => whole.subarray(at * size, (at + 1) * size)),
    )
  const find = () => Effect.succeed(parent === "" ? undefined : pieces(bytes(parent)))
  const log = typeof text === "string" ? bytes(text) : text
  return Effect.gen(function* () {
    const { events, ...made } = yield* Proposal.propose({ bytes: pieces(log), find, rules, at: 5 })
    const kept = (yield* Stream.runCollect(events)).flat()
    expect(kept.length).toBe(made.kept)
    return { ...made, events: [...kept, ...made.added] }
  })
}

const pending = ["p1", "p2"].map((messageId) => ({
  type: "user/message" as const,
  data: { messageId, content: [{ type: "text" as const, text: "Wait." }], source: "user" },
}))

const proposal = (...asked: Parameters<typeof propose>) => Effect.runSync(propose(...asked))
const text = LogFile.encode(story)
const lines = text.trimEnd().split("\n")

/** Whatever is proposed is lawful and closed, and begins with what was there. */
const expectLawful = ({ events, kept, added, remains }: ReturnType<typeof proposal>) => {
  expect(remains).toEqual([])
  expect(Verifier.verify(events)).toEqual([])
  expect(events.length).toBe(kept + added.length)
  expect(events.reduce(SessionState.next, SessionState.initial).turnIsOpen).toBe(false)
}

const none = Rule.make({
  id: "acme.none",
  statement: "No tool runs.",
  hint: "Run none.",
  on: ["tool/call"],
  initial: 0,
  step: (state) => new Rule.Broken(state, ["one runs"]),
})

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

  it("ends before the first break of a rule of the user's as well", () => {
    const made = proposal(text, { rules: [...logRules, none] })
    expect(made.kept).toBe(find("tool/call"))
    expect(made.leftOut).toMatchObject([{ reason: expect.stringContaining("acme.none at seq") }])
    expect(made.added.map(({ type }) => type)).toContain("tool/call")
    expect(new Set(made.remains.map(({ rule }) => rule))).toEqual(new Set(["acme.none"]))
  })

  it("is not made of a log of a later version", () => {
    const later = '{"seq":0,"at":1,"type":"session/start","data":{"version":99}}\n'
    expect(Effect.runSync(Effect.flip(propose(later)))).toMatchObject({ _tag: "UnsupportedLogVersion" })
  })
})

const shared = story.findIndex(({ type }) => type === "turn/end")
const parent = { id: "story", seq: shared, digest: Ancestry.digest(story, shared) }
const start = { type: "session/start", data: { version: 1, id: "fork", createdAt: 0, parent } } as const
const fork = number([start, ...drafts.slice(1)])
const forkLines = LogFile.encode(fork).trimEnd().split("\n")
/** The same, but for the time of one event. */
const retimed = (log: ReadonlyArray<SessionEvent>) =>
  log.map((event) => (event.seq === 2 ? { ...event, at: event.at + 1 } : event))
const ofParent = { fromParent: { id: "story", from: 1, to: shared } }

describe("a proposal for a fork", () => {
  it("has what is missing of a copy that broke off from the parent, and cancels what the parent will serve", () => {
    const waiting = number([...drafts.slice(0, 1), ...pending])
    const begun = { id: "story", seq: 2, digest: Ancestry.digest(waiting, 2) }
    const whole = number([
      { ...start, data: { ...start.data, parent: begun } },
      ...drafts.slice(1, 3).map((draft, at) => pending[at] ?? draft),
    ])
    for (const kept of [1, 2]) {
      const made = proposal(LogFile.encode(whole.slice(0, kept)), { parent: LogFile.encode(waiting) })
      expectLawful(made)
      expect(made.events.slice(0, 3)).toEqual(whole)
      expect(made.added).toMatchObject([{ type: "message/cancelled", data: { messageIds: ["p1", "p2"] } }])
    }
  })

  it("is whole wherever the copy broke off", () => {
    for (let kept = 1; kept <= shared; kept++) {
      const made = proposal(LogFile.encode(fork.slice(0, kept)), { parent: text })
      expectLawful(made)
      expect(made).toMatchObject({ ...ofParent, kept: shared + 1, leftOut: [] })
      expect(made.events.slice(0, shared + 1)).toEqual(fork.slice(0, shared + 1))
    }
  })

  it("keeps what stands behind a fault that the parent can mend, and names the fault", () => {
    const broken = `${[...forkLines.slice(0, 2), "garbage", ...forkLines.slice(3)].join("\n")}\n`
    const made = proposal(broken, { parent: text })
    expectLawful(made)
    expect(made).toMatchObject({ ...ofParent, events: fork, leftOut: [{ reason: "the line is no JSON" }] })
    const restored = proposal(LogFile.encode(retimed(fork)), { parent: text })
    expectLawful(restored)
    expect(restored.events).toEqual(fork)
    expect(restored.leftOut).toEqual([
      {
        what: `seq 1 to ${shared} as they stand here`,
        reason: expect.stringContaining(`fork.prefix at seq ${shared}`),
      },
    ])
  })

  it("is nothing when the parent has the same fault", () => {
    const made = proposal(LogFile.encode(fork), { parent: text, rules: [...logRules, none] })
    const message = "one runs; its parent has that too"
    expect(made).toMatchObject({
      events: [],
      remains: [{ rule: "acme.none", seq: find("tool/call"), message }],
    })
  })

  it.each([
    ["", "is not beside it"],
    [LogFile.encode(story.slice(0, shared)), "no longer has what was forked"],
    [LogFile.encode(retimed(story)), "no longer has what was forked"],
    ["garbage", "no longer has what was forked"],
  ])("is nothing, in words, when the parent cannot mend it: %#", (log, why) => {
    const cut = proposal(LogFile.encode(fork.slice(0, 3)), { parent: log })
    const message = `it broke off while it was made, before seq ${shared}, and the log of its parent story ${why}: fork that one again`
    expect(cut).toMatchObject({ events: [], remains: [{ rule: "fork.prefix", seq: 3, message }] })
    const made = proposal(LogFile.encode(retimed(fork)), { parent: log })
    const words = expect.stringMatching(/^the fault is within what it shares with its parent/)
    expect(made).toMatchObject({ events: [], remains: [{ rule: "fork.prefix", message: words }] })
  })
})
