import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Admission from "../../src/contract/Admission.ts"
import { alwaysOn } from "../../src/contract/AlwaysOn.ts"
import { nowhere } from "../../src/contract/Place.ts"
import * as EventCodec from "../../src/event/EventCodec.ts"
import type { EventDraft, SessionEvent } from "../../src/event/SessionEvent.ts"
import { arbitrarySession } from "../session/arbitrarySession.ts"
import * as Draft from "../session/drafts.ts"

const begin: EventDraft = { type: "session/start", data: { version: 1, id: "s", createdAt: 0 } }
const resume = (epoch: number, ...reruns: ReadonlyArray<string>): EventDraft => ({
  type: "session/resume",
  data: { epoch, reruns },
})
const asked = (callId: string, expiresAt = 60_000): EventDraft => ({
  type: "approval/asked",
  data: { turn: 1, step: 1, callId, digest: "d1", expiresAt },
})
const decided = (callId: string, verdict: "allow" | "deny" = "allow", digest = "d1"): EventDraft => ({
  type: "approval/decided",
  data: { callId, digest, verdict, by: "user" },
})

const neverStarts: EventDraft = {
  type: "tool/call",
  data: { turn: 1, step: 1, callId: "c", name: "add", arguments: "{}", starts: false },
}

const number = (drafts: ReadonlyArray<EventDraft>): ReadonlyArray<SessionEvent> =>
  drafts.map((draft, seq) => Result.getOrThrow(EventCodec.fromDraft(draft, seq, 0, new Map())))

/** The rule that the first refused event breaks, and that event's seq. */
const verdict = (events: ReadonlyArray<SessionEvent>): string => {
  let state = Admission.initial
  for (const [index, event] of events.entries()) {
    const next = Admission.admit(state, event, index)
    if (next instanceof Admission.Refused) return `${next.rule} at ${index}`
    state = next
  }
  return "admitted"
}

const admitted = (state: Admission.Admission, event: SessionEvent): Admission.Admission => {
  const next = Admission.admit(state, event, event.seq)
  if (next instanceof Admission.Refused) throw new Error(next.message)
  return next
}

/** All rules, each stepped over every event without any short way. */
const longVerdict = (events: ReadonlyArray<SessionEvent>): string => {
  let folds = alwaysOn.map((rule) => rule.fold)
  for (const [index, event] of events.entries()) {
    const steps = folds.map((fold) => fold.step(event, nowhere))
    const broken = steps.findIndex((step) => step.broken.length > 0)
    if (broken !== -1) return `${alwaysOn[broken]?.id} at ${index}`
    folds = steps
  }
  return "admitted"
}

const cases: ReadonlyArray<readonly [what: string, drafts: ReadonlyArray<EventDraft>, verdict: string]> = [
  ["a log without a start", [Draft.user("m")], "log.start at 0"],
  ["a log that starts with a chunk", [Draft.delta(1, 1, "x")], "log.start at 0"],
  ["a second start", [begin, Draft.user("m"), begin], "log.start at 2"],
  ["an epoch that repeats", [begin, resume(1), resume(1)], "log.epoch at 2"],
  ["an epoch that falls", [begin, resume(4), resume(3)], "log.epoch at 2"],
  ["epochs that rise with gaps", [begin, resume(1), resume(7)], "admitted"],
  ["a message id of another kind again", [begin, Draft.user("m"), Draft.context("m")], "inbox.unique at 2"],
  ["a call id twice in one message", [begin, Draft.answer(1, 1, "", "c", "c")], "call.unique at 1"],
  [
    "a call id of an earlier step",
    [begin, Draft.answer(1, 1, "", "c"), Draft.answer(1, 2, "", "c")],
    "call.unique at 2",
  ],
  ["a second tool/call", [begin, Draft.call(1, 1, "c"), Draft.call(1, 1, "c")], "call.unique at 2"],
  ["a decision without a question", [begin, decided("c")], "approval.single at 1"],
  ["a second decision", [begin, asked("c"), decided("c"), decided("c", "deny")], "approval.single at 3"],
  [
    "a decision about other arguments",
    [begin, asked("c"), decided("c", "allow", "d2")],
    "approval.single at 2",
  ],
  [
    "asking again before the decision",
    [begin, asked("c"), asked("c"), decided("c"), Draft.call(1, 1, "c")],
    "admitted",
  ],
  ["asking again after the decision", [begin, asked("c"), decided("c"), asked("c")], "approval.single at 3"],
  [
    "asking again after a yes that expired",
    [begin, asked("c", 0), decided("c"), asked("c"), decided("c", "deny"), neverStarts],
    "admitted",
  ],
  [
    "a start by a yes that expired, without the answer to the second question",
    [begin, asked("c", 0), decided("c"), asked("c"), Draft.call(1, 1, "c")],
    "approval.single at 4",
  ],
  [
    "asking again after a no",
    [begin, asked("c", 0), decided("c", "deny"), asked("c")],
    "approval.single at 3",
  ],
  ["a start without the decision", [begin, asked("c"), Draft.call(1, 1, "c")], "approval.single at 2"],
  ["a call that never starts after a no", [begin, asked("c"), decided("c", "deny"), neverStarts], "admitted"],
  ["a call that never starts while it is asked about", [begin, asked("c"), neverStarts], "admitted"],
  [
    "a start against the decision",
    [begin, asked("c"), decided("c", "deny"), Draft.call(1, 1, "c")],
    "approval.single at 3",
  ],
  [
    "a second use of a decision",
    [begin, asked("c"), decided("c"), Draft.call(1, 1, "c"), decided("c")],
    "approval.single at 4",
  ],
  ["a re-run of nothing", [begin, resume(1, "c")], "rerun.allowed at 1"],
  ["a re-run without a key", [begin, Draft.call(1, 1, "c"), resume(1, "c")], "rerun.allowed at 2"],
  [
    "a re-run of a finished call",
    [begin, Draft.call(1, 1, "c", "k"), Draft.result(1, 1, "c"), resume(1, "c")],
    "rerun.allowed at 3",
  ],
  ["two re-runs", [begin, Draft.call(1, 1, "c", "k"), resume(1, "c"), resume(2, "c")], "admitted"],
  [
    "a third re-run",
    [begin, Draft.call(1, 1, "c", "k"), resume(1, "c"), resume(2, "c"), resume(3, "c")],
    "rerun.allowed at 4",
  ],
]

describe("Admission", () => {
  it.each(cases)("decides about %s", (_, drafts, expected) => {
    expect(verdict(number(drafts))).toBe(expected)
  })

  it("refuses a gap and a repetition of seq, also between chunks", () => {
    const events = number([begin, Draft.delta(1, 1, "a"), Draft.delta(1, 1, "b"), Draft.delta(1, 1, "c")])
    expect(verdict(events.toSpliced(2, 1))).toBe("log.seq at 2")
    expect(verdict(events.toSpliced(2, 0, ...events.slice(1, 2)))).toBe("log.seq at 2")
  })

  it("decides like all rules without the short way of chunks", () => {
    const dropOrSwap = fc.tuple(arbitrarySession, fc.nat(), fc.nat({ max: 2 })).map(([drafts, at, kind]) => {
      const events = number([begin, ...drafts])
      const index = at % events.length
      return kind === 0
        ? events
        : kind === 1
          ? events.toSpliced(index, 1)
          : [...events, ...events.slice(index, index + 1)]
    })
    fc.assert(
      fc.property(dropOrSwap, (events) => {
        expect(verdict(events)).toBe(longVerdict(events))
      }),
    )
  })

  it("leaves the state it was given as it was", () => {
    const [start, first, again] = number([begin, Draft.user("m"), Draft.user("m")])
    if (start === undefined || first === undefined || again === undefined) throw new Error("three events")
    const before = admitted(Admission.initial, start)
    const after = admitted(before, first)
    expect(Admission.admit(after, again, again.seq)).toBeInstanceOf(Admission.Refused)
    expect(Admission.admit(before, first, first.seq)).toEqual(after)
  })
})
