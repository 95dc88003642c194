import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as Rule from "../../src/contract/Rule.ts"
import { type EventDraft, payloads, type SessionEvent } from "../../src/event/SessionEvent.ts"
import { logRules } from "../../src/invariant/Rules.ts"
import { begin, verify } from "../../src/invariant/Verifier.ts"
import * as Mutants from "../../src/mutant/Mutants.ts"
import {
  callBlock,
  change,
  drafts,
  find,
  insert,
  nth,
  number,
  replace,
  story,
  upTo,
  without,
} from "../../src/mutant/Story.ts"

const brokenBy = (log: ReadonlyArray<EventDraft>) => verify(number(log)).map((violation) => violation.rule)

describe("verify", () => {
  it("finds nothing in a lawful log", () => {
    expect(verify(story)).toEqual([])
  })

  it("finds that a log without events was never begun", () => {
    const found = {
      rule: "log.start",
      seq: 0,
      message: "the log holds no event; a log begins with session/start",
    }
    expect(verify([])).toEqual([{ ...found, hint: logRules.find(({ id }) => id === "log.start")?.hint }])
    expect(verify(new Set<SessionEvent>())).toEqual(verify([]))
  })

  it.each(Mutants.all)("names $rules for $what", ({ rules, log }) => {
    expect(brokenBy(log)).toEqual(rules)
  })

  it("has a mutant for every rule that it brings", () => {
    const named = new Set(Mutants.all.flatMap(({ rules }) => rules))
    expect(logRules.map(({ id }) => id).filter((id) => !named.has(id))).toEqual(["log.seq"])
  })

  it("has a mutant that breaks it alone for every rule but those that cannot be", () => {
    const alone = new Set(Mutants.all.flatMap(({ rules }) => (rules.length === 1 ? rules : [])))
    const never = logRules.map(({ id }) => id).filter((id) => !alone.has(id))
    // Drafts have no numbers; a call that a later request misses was missed by the end of its step before.
    expect(never).toEqual(["log.seq", "history.paired"])
  })

  it("asks every event that names a turn whether that is closed, the start of one aside", () => {
    const naming = Object.entries(payloads).flatMap(([type, { fields }]) => ("turn" in fields ? [type] : []))
    const asked = logRules.find(({ id }) => id === "turn.closedIsClosed")?.on ?? []
    expect([...asked, "turn/start"].sort()).toEqual(naming.sort())
  })

  it("tells everything in the order of the log, each with its hint", () => {
    const twice = without(find("step/end", 1)).map((draft) =>
      draft.type === "turn/end" && draft.data.turn === 2
        ? { ...draft, data: { turn: 2, reason: { kind: "completed" as const } } }
        : draft,
    )
    const violations = verify(number(twice))
    expect(violations.map(({ rule, seq }) => [rule, seq])).toEqual([
      ["step.nests", find("turn/end") - 1],
      ["turn.abortWins", drafts.length - 2],
    ])
    expect(violations.every(({ hint }) => hint !== undefined && hint !== "")).toBe(true)
  })

  it("keeps to one violation when a whole turn's start is missing", () => {
    expect(brokenBy(without(find("turn/start", 1)))).toEqual(["step.nests"])
  })

  it("knows an always-on break as well", () => {
    const gap = story.filter((event) => event.seq !== find("usage"))
    expect(verify(gap).map(({ rule, seq }) => [rule, seq])).toEqual([["log.seq", find("usage") + 1]])
    expect(brokenBy(change("user/message", 1, { messageId: "m1" }))).toContain("inbox.unique")
    const twice = insert(find("tool/call", 1), nth("tool/call", 1))
    expect(brokenBy(twice)).toContain("call.unique")
  })

  it("passes over events of extensions", () => {
    const note: SessionEvent = { seq: 0, at: 0, type: "acme:note", data: { turn: 99, step: 99 } }
    const log = drafts.flatMap(
      (draft): ReadonlyArray<EventDraft> =>
        draft.type === "session/start" ? [draft] : [{ type: note.type, data: note.data }, draft],
    )
    expect(brokenBy(log)).toEqual([])
  })

  it("leaves a call of an unfinished turn alone: the process may still run", () => {
    for (const place of drafts.keys()) expect(brokenBy(upTo(place))).toEqual([])
  })

  it("refuses calls in a failed message, whatever their blocks say", () => {
    const failed = replace(find("assistant/message", 2), {
      type: "assistant/message",
      data: {
        turn: 2,
        step: 1,
        content: [callBlock("c3", "read")],
        finish: { kind: "error", code: "MODEL_UNREACHABLE" },
      },
    })
    expect(brokenBy(failed)).toEqual(["call.partialNeverRuns"])
  })
})

describe("one's own rules", () => {
  const quiet = Rule.make({
    id: "acme.quiet",
    statement: "Nobody steers.",
    hint: "Say all of it in the prompt.",
    on: ["steering/message"],
    initial: undefined,
    step: (state, { data }) => new Rule.Broken(state, [`${data.messageId} steers`]),
  })

  it("are checked after ours", () => {
    const seq = find("steering/message")
    expect(verify(story, { rules: [quiet] })).toEqual([
      { rule: "acme.quiet", seq, message: "m4 steers", hint: "Say all of it in the prompt." },
    ])
    const bad = number(change("turn/end", 0, { reason: { kind: "failed" } }))
    expect(verify(bad, { rules: [quiet] }).map(({ rule }) => rule)).toEqual(["acme.quiet", "turn.reasonCode"])
  })

  it("are told piece by piece as well", () => {
    const { take } = begin({ rules: [quiet] })
    expect(story.flatMap(take)).toEqual(verify(story, { rules: [quiet] }))
  })

  it("that throw are broken there, and leave all that others find as it is", () => {
    const bomb = (at: number) =>
      Rule.make({
        id: "acme.bomb",
        statement: "s",
        hint: "Mend the rule.",
        initial: 0,
        step: (count, { seq }) => {
          if (seq >= at) throw new RangeError(`at ${seq}`)
          return count + 1
        },
      })
    fc.assert(
      fc.property(fc.constantFrom(...Mutants.all), fc.nat(), (mutant, salt) => {
        const log = number(mutant.log)
        const at = salt % log.length
        const [failed, ...rest] = verify(log, { rules: [bomb(at)] }).filter(
          ({ rule }) => rule === "acme.bomb",
        )
        const message = `the rule itself failed, and what follows is not held to it: RangeError: at ${at}`
        expect([failed, rest]).toEqual([{ rule: "acme.bomb", seq: at, message, hint: "Mend the rule." }, []])
        const others = verify(log, { rules: [bomb(at)] }).filter(({ rule }) => rule !== "acme.bomb")
        expect(others).toEqual(verify(log))
      }),
    )
  })

  it("cannot have an id without a group", () => {
    expect(() => begin({ rules: [{ ...quiet, id: "quiet" }] })).toThrow(
      new TypeError('the id "quiet" of a rule has not the form group.name'),
    )
  })

  it("cannot take the id of another rule", () => {
    expect(() => begin({ rules: [{ ...quiet, id: "turn.nests" }] })).toThrow(
      'two rules have the id "turn.nests"',
    )
    expect(() => begin({ rules: [quiet, quiet] })).toThrow('two rules have the id "acme.quiet"')
  })
})
