import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { describe, expect } from "vitest"
import * as Rule from "../../src/contract/Rule.ts"
import * as EventType from "../../src/event/EventType.ts"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { InvariantViolated } from "../../src/invariant/InvariantError.ts"
import type * as Rules from "../../src/invariant/Rules.ts"
import { change, chunk, drafts, find, message, nth, number, story, upTo } from "../../src/mutant/Story.ts"
import { Observer } from "../../src/session/Observer.ts"
import type { Session } from "../../src/session/Session.ts"
import { create, open } from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { watched } from "./watched.ts"

const world = Layer.mergeAll(MemoryStore.layer, DevInvariants.layer())

const violation = (exit: Exit.Exit<unknown, unknown>): InvariantViolated | undefined => {
  const defect = Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? Cause.squash(exit.cause) : undefined
  return defect instanceof InvariantViolated ? defect : undefined
}

/** A session that holds the story up to a place. */
const sessionUpTo = (place: number) =>
  Effect.gen(function* () {
    const session = yield* create({ id: "s" })
    yield* session.append("accepted", () => upTo(place).slice(1))
    return session
  })

const look = (session: Session) => ({
  log: session.log(),
  state: session.state(),
  status: session.status(),
  messages: session.messages(),
})

const end1: EventDraft = { type: "step/end", data: { turn: 1, step: 1 } }
const call = (callId: string): EventDraft => ({
  type: "tool/call",
  data: { turn: 1, step: 1, callId, name: "read", arguments: "{}" },
})

/** Beside the ten kinds (`tenKinds.test.ts`). */
const badAppends: ReadonlyArray<
  readonly [what: string, rule: string, place: number, append: ReadonlyArray<EventDraft>]
> = [
  ["a call of a turn that has ended", "turn.closedIsClosed", find("turn/end"), [call("c9")]],
  [
    "an old result under a new name",
    "result.paired",
    find("step/start", 2),
    [change("tool/result", 1, { turn: 2, step: 1 })[find("tool/result", 1)] ?? end1],
  ],
  [
    "a good event before a bad one",
    "turn.closedIsClosed",
    find("turn/end"),
    [message("user/message", "m9"), call("c9")],
  ],
]

describe("DevInvariants", () => {
  it.effect.each(badAppends)("refuses %s by %s, and nothing of it is there", ([, rule, place, append]) =>
    Effect.gen(function* () {
      const session = yield* sessionUpTo(place)
      const before = look(session)
      const found = violation(yield* Effect.exit(session.append("synced", () => append)))
      expect(found?.rule).toBe(rule)
      expect(found?.code).toBe("INVARIANT_VIOLATED")
      expect(look(session)).toEqual(before)
      expect(session.state()).toBe(before.state)
      // The refused append has left no trace in the rules either: what follows lawfully is accepted.
      const rest = drafts.slice(place + 1)
      expect((yield* session.append("synced", () => rest)).length).toBe(rest.length)
      const store = yield* SessionStore
      expect((yield* store.read("s")).map(({ type, data }) => ({ type, data })).slice(1)).toEqual(
        drafts.slice(1),
      )
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("refuses an accept in the way of chunks as well", () =>
    Effect.gen(function* () {
      const session = yield* sessionUpTo(find("turn/end"))
      const late = chunk(1, 2, { type: "text-delta", block: "b0", text: "late" })
      const before = look(session)
      const exit = yield* Effect.exit(Effect.sync(() => session.accept(late)))
      expect(violation(exit)?.rule).toBe("turn.closedIsClosed")
      expect(look(session)).toEqual(before)
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("dies when it opens a stored log that is unlawful", () =>
    Effect.gen(function* () {
      const bad = change("turn/end", 0, { reason: { kind: "failed" } })
      yield* Effect.gen(function* () {
        const session = yield* create({ id: "s" })
        yield* session.append("synced", () => bad.slice(1))
      }).pipe(Effect.scoped, Effect.provideService(Observer, undefined))
      const found = violation(yield* Effect.exit(Effect.scoped(open("s"))))
      expect(found).toMatchObject({ rule: "turn.reasonCode", seq: find("turn/end"), sessionId: "s" })
      expect(found?.message).toContain("turn 1 ends as failed without a code")
    }).pipe(Effect.provide(world)),
  )

  it.effect("goes on with a stored log where it stopped, and knows what it holds", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(sessionUpTo(find("step/end")))
      const session = yield* open("s")
      const exit = yield* Effect.exit(session.append("synced", () => [nth("turn/end")]))
      expect(violation(exit)?.rule).toBe("inbox.noForgottenSteer")
      yield* session.append("synced", () => drafts.slice(find("step/end") + 1))
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("keeps two sessions under one layer apart", () =>
    Effect.gen(function* () {
      const one = yield* create({ id: "one" })
      const two = yield* create({ id: "two" })
      yield* one.append("synced", () => drafts.slice(1))
      yield* two.append("synced", () => drafts.slice(1))
      expect(two.log().length).toBe(one.log().length)
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("lets a whole story pass, requests included", () =>
    Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      for (const draft of drafts.slice(1)) {
        yield* session.append("written", () => [draft])
        if (draft.type === "step/start") session.observeRequest(session.messages())
      }
      expect(session.status()).toBe("idle")
    }).pipe(Effect.scoped, Effect.provide(world)),
  )
})

describe("what an observer is told of", () => {
  it.effect("hands over every violation and goes on", () =>
    Effect.gen(function* () {
      const { found, session } = yield* watched([])
      session.onAppend(number(change("turn/end", 0, { reason: { kind: "failed" } })))
      session.onAppend([{ seq: story.length + 1, at: 0, type: "step/end", data: { turn: 1, step: 1 } }])
      expect(found.map(({ rule, seq, sessionId }) => [rule, seq, sessionId])).toEqual([
        ["turn.reasonCode", find("turn/end"), "s"],
        ["log.seq", story.length + 1, "s"],
        ["turn.closedIsClosed", story.length + 1, "s"],
      ])
      expect(found.every(({ hint }) => hint !== "")).toBe(true)
    }),
  )

  it.effect("checks only what is picked, by group or id", () =>
    Effect.gen(function* () {
      const bad = number(
        change("turn/end", 0, { reason: { kind: "aborted" } }).filter((_, at) => at !== find("step/end")),
      )
      const rulesOf = (options: Rules.Selection) =>
        Effect.map(watched(bad, options), ({ found }) => found.map(({ rule }) => rule))
      expect(yield* rulesOf({})).toEqual(["step.nests", "turn.abortWins"])
      expect(yield* rulesOf({ only: ["turn"] })).toEqual(["turn.abortWins"])
      expect(yield* rulesOf({ except: ["turn.abortWins"] })).toEqual(["step.nests"])
    }),
  )

  it.effect("freezes what it lets pass, and nothing of what it refuses", () =>
    Effect.gen(function* () {
      const fresh = structuredClone(story)
      const { session } = yield* watched([])
      session.onAppend(fresh)
      expect(fresh.every((event) => Object.isFrozen(event) && Object.isFrozen(event.data))).toBe(true)
      const refused = structuredClone(story)
      const dying = yield* Effect.provide(Effect.service(Observer), DevInvariants.layer())
      expect(() => dying?.watch("s", []).onAppend(refused.slice(1))).toThrow(InvariantViolated)
      expect(refused.some((event) => Object.isFrozen(event))).toBe(false)
    }),
  )

  it.effect("tells by log.frozen when it may not freeze and nobody else has", () =>
    Effect.gen(function* () {
      const fresh = structuredClone(story.slice(0, 1))
      const { found } = yield* watched(fresh, { freeze: false })
      expect(found.map(({ rule }) => rule)).toEqual(["log.frozen"])
    }),
  )
})

describe("DevInvariants.layer", () => {
  const broken = change("turn/end", 0, { reason: { kind: "failed" } }).slice(1)
  const write = Effect.gen(function* () {
    const session = yield* create({ id: "s" })
    yield* session.append("synced", () => broken)
    return yield* DevInvariants.violations
  })

  it.effect("collects every violation for a test to read, and lets the session go on", () =>
    Effect.gen(function* () {
      const found = yield* Effect.scoped(write)
      expect(found).toEqual([
        {
          sessionId: "s",
          rule: "turn.reasonCode",
          seq: find("turn/end"),
          message: "turn 1 ends as failed without a code",
          hint: expect.stringContaining("stable code"),
        },
      ])
      const store = yield* SessionStore
      expect((yield* store.read("s")).length).toBe(drafts.length)
    }).pipe(Effect.provide([MemoryStore.layer, DevInvariants.layer({ mode: "collect" })])),
  )

  it.effect("checks only what is picked", () =>
    Effect.gen(function* () {
      const under = (options: DevInvariants.Options) =>
        Effect.provide(Effect.scoped(write), [
          Layer.fresh(MemoryStore.layer),
          DevInvariants.layer({ mode: "collect", ...options }),
        ])
      expect(yield* under({ except: ["turn.reasonCode"] })).toEqual([])
      expect(yield* under({ only: ["step"] })).toEqual([])
      expect((yield* under({ only: ["turn"] })).length).toBe(1)
    }),
  )

  it.effect("has no violations to read where it dies, or where there is none", () =>
    Effect.gen(function* () {
      for (const layer of [Layer.empty, DevInvariants.layer()]) {
        const exit = yield* Effect.exit(Effect.provide(DevInvariants.violations, layer))
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
          new Error('nothing collects here: provide DevInvariants.layer({ mode: "collect" })'),
        )
      }
    }),
  )

  it.effect("checks one's own rules over one's own events, and dies before commit", () => {
    const Charge = EventType.make({
      name: "acme:charge",
      version: 1,
      schema: Schema.Struct({ cents: Schema.Int }),
    })
    const budget = Rule.over(Charge, {
      id: "acme.budget",
      statement: "At most 500 cents are charged.",
      hint: "Ask first.",
      initial: 0,
      step: (spent, { cents }) =>
        spent + cents > 500 ? new Rule.Broken(spent, [`${spent + cents} cents`]) : spent + cents,
    })
    return Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      const charge = (cents: number) => session.append("synced", () => [EventType.draft(Charge, { cents })])
      yield* charge(300)
      const found = violation(yield* Effect.exit(charge(250)))
      expect(found).toMatchObject({
        rule: "acme.budget",
        seq: 2,
        message: expect.stringContaining("550 cents. Ask first."),
      })
      yield* charge(200)
      expect(session.log().length).toBe(3)
    }).pipe(
      Effect.scoped,
      Effect.provide([
        MemoryStore.layer,
        EventType.layer([Charge]),
        DevInvariants.layer({ rules: [budget] }),
      ]),
    )
  })

  const clumsy = Rule.make({
    id: "acme.clumsy",
    statement: "Nobody steers.",
    hint: "Mend the rule.",
    on: ["steering/message"],
    initial: 0,
    step: (count, event) => Reflect.get(Object(event).nothing, "length") + count,
  })
  const said = "the rule itself failed, and what follows is not held to it: TypeError: "

  it.effect("dies of one's own rule that throws, under its id and before commit", () =>
    Effect.gen(function* () {
      const session = yield* sessionUpTo(find("steering/message") - 1)
      const before = look(session)
      for (const _ of [1, 2]) {
        const exit = yield* Effect.exit(session.append("synced", () => [nth("steering/message")]))
        expect(violation(exit)).toMatchObject({
          rule: "acme.clumsy",
          seq: find("steering/message"),
          message: expect.stringContaining(`${said}Reflect.get called on non-object. Mend the rule.`),
        })
        expect(look(session)).toEqual(before)
      }
      yield* session.append("synced", () => [{ type: "turn/abort", data: { turn: 1, reason: "stop" } }])
    }).pipe(Effect.scoped, Effect.provide([MemoryStore.layer, DevInvariants.layer({ rules: [clumsy] })])),
  )

  it.effect("collects that one's own rule threw, once, and sessions go on", () =>
    Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      for (const draft of broken) yield* session.append("synced", () => [draft])
      const found = yield* DevInvariants.violations
      expect(found.map(({ rule, seq }) => [rule, seq])).toEqual(
        [
          ["acme.clumsy", find("steering/message")] as const,
          ["turn.reasonCode", find("turn/end")] as const,
        ].sort(([, one], [, other]) => one - other),
      )
      expect(found.find(({ rule }) => rule === "acme.clumsy")?.message).toContain(said)
      expect(session.log().length).toBe(drafts.length)
    }).pipe(
      Effect.scoped,
      Effect.provide([MemoryStore.layer, DevInvariants.layer({ mode: "collect", rules: [clumsy] })]),
    ),
  )

  it.effect("fails for a choice that a running session cannot be held to, and says who can be", () =>
    Effect.gen(function* () {
      const pick = (options: DevInvariants.Options) =>
        Effect.map(Effect.result(Effect.provide(Effect.void, DevInvariants.layer(options))), (built) =>
          built._tag === "Failure" ? built.failure.message : "is built",
        )
      const stored = "for stored logs only (Verifier, check): "
      const decided = "decided when an event is made, always: "
      const none = "no invariant is left that a running session can be held to; "
      const later = { ...clumsy, mode: "O" as const }
      expect(yield* pick({ only: ["fork"] })).toBe(`${none}${stored}fork.prefix`)
      expect(yield* pick({ only: ["log.version"] })).toBe(`${none}${decided}log.version`)
      expect(yield* pick({ only: ["log.version", "log.lossless", "acme"], rules: [later] })).toBe(
        `${none}${stored}acme.clumsy; ${decided}log.version, log.lossless`,
      )
      for (const only of [["log"], ["fork", "turn"], ["store"], ["log.version", "log.frozen"]])
        expect(yield* pick({ only })).toBe("is built")
    }),
  )

  it.effect("fails for a name that fits no rule, and names the nearest", () =>
    Effect.gen(function* () {
      const pick = (options: DevInvariants.Options) =>
        Effect.flip(Effect.provide(Effect.void, DevInvariants.layer(options)))
      expect(yield* pick({ except: ["turn.nest"] })).toMatchObject({
        _tag: "UnknownInvariant",
        name: "turn.nest",
        nearest: expect.arrayContaining(["turn.nests"]),
        message: expect.stringContaining(
          'no invariant has the id or the group "turn.nest"; did you mean "turn.nests"',
        ),
      })
      expect(yield* pick({ only: [] })).toMatchObject({ _tag: "UnknownInvariant", name: "" })
      expect(yield* pick({ only: ["inbx"] })).toMatchObject({ nearest: ["inbox"] })
      expect(yield* pick({ only: ["zzzzzz"] })).toMatchObject({
        nearest: [],
        message: 'no invariant has the id or the group "zzzzzz"',
      })
    }),
  )
})

describe("a listener under DevInvariants", () => {
  const startAgain: EventDraft = {
    type: "turn/start",
    data: { turn: 7, trigger: { kind: "message" }, claims: ["m"] },
  }

  it.effect("that breaks a rule is not passed over: who appended dies of it", () =>
    Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      session.subscribe((event) => {
        if (event.type === "user/message") session.accept(startAgain)
      })
      const exit = yield* Effect.exit(session.append("synced", () => [message("user/message", "m")]))
      expect(violation(exit)?.rule).toBe("turn.counts")
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("that has a bug is not passed over either, and the session ends", () =>
    Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      session.subscribe(() => {
        throw new Error("broken listener")
      })
      const exit = yield* Effect.exit(session.append("synced", () => [message("user/message", "m")]))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new Error("broken listener"))
      expect(session.status()).toBe("disposed")
    }).pipe(Effect.scoped, Effect.provide(world)),
  )
})
