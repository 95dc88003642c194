/** Whatever comes when, a log stays lawful, nothing said is lost, and in the end nothing runs. Cases: steer/lost, status/stuck. */
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Inbox from "../../src/arbitrary/Inbox.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { Approver } from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { runs } from "../runs.ts"
import { all, type Step, services } from "./world.ts"

const pause = (turns: number) => Effect.repeat(Effect.yieldNow, { times: turns })

/** A store that takes a few turns of the scheduler for every write. */
const slowStore = (turns: number): Layer.Layer<SessionStore> =>
  Layer.effect(
    SessionStore,
    Effect.map(SessionStore, (store) => ({
      ...store,
      create: (id) =>
        Effect.map(store.create(id), (writer) => ({
          append: (events, durability) => Effect.andThen(pause(turns), writer.append(events, durability)),
        })),
    })),
  ).pipe(Layer.provide(MemoryStore.layer))

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ text: "done" }),
  fc.record({
    text: fc.constant("working"),
    calls: fc.array(
      fc.record({
        id: fc.constantFrom("c1", "c2", ""),
        name: fc.constantFrom("work", "work", "throw", "nothing"),
        arguments: fc.constantFrom('{"turns":0}', '{"turns":3}', '{"turns":9}', '{"turns":"x"}', '{"tur'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.constant({ error: { code: "MODEL_RATE_LIMITED" as const, message: "429", retryAfterMillis: 0 } }),
  fc.constant({ text: "cut", cutOff: true, error: undefined }).map(({ text, cutOff }) => ({ text, cutOff })),
)

const stimulus = fc.record({
  kind: fc.constantFrom<Inbox.Act["kind"] | "close">(
    "prompt",
    "prompt",
    "send",
    "steer",
    "steer",
    "inject",
    "abort",
    "close",
  ),
  after: fc.nat(25),
})

const plan = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  stimuli: fc.array(stimulus, { minLength: 1, maxLength: 8 }),
  storeTurns: fc.nat(3),
  concurrency: fc.integer({ min: 1, max: 3 }),
  /** How many turns of the scheduler a person takes to answer, and whether it is a yes. */
  answer: fc.record({ turns: fc.nat(8), isYes: fc.boolean() }),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

/** Whoever wants to work long is asked about. */
const asking = Guard.layer(({ args }) =>
  Effect.succeed(JSON.stringify(args) === '{"turns":9}' ? Guard.ask("it takes long") : Guard.allow),
)

const person = ({ turns, isYes }: Plan["answer"]) =>
  Layer.succeed(Approver, () =>
    Effect.as(pause(turns), isYes ? { _tag: "allow" as const } : { _tag: "deny" as const, reason: "no" }),
  )

/** How often each call's body began, by call id. */
const makeTools = (begun: Map<string, number>) =>
  Toolbox.make(
    defineTool({
      name: "work",
      description: "Take some turns of the scheduler",
      parameters: { turns: { type: "integer", required: true } },
      run: ({ turns }, { callId }) =>
        Effect.suspend(() => {
          begun.set(callId, (begun.get(callId) ?? 0) + 1)
          return pause(turns)
        }),
    }),
    defineTool({
      name: "throw",
      description: "Have a bug",
      parameters: {},
      run: () => Effect.die(new Error("a bug")),
    }),
  )

const live = ({ steps, stimuli, storeTurns, concurrency, answer }: Plan) =>
  Effect.gen(function* () {
    const begun = new Map<string, number>()
    const session = yield* SessionLog.create()
    const scope = yield* Scope.make()
    const agent = yield* Scope.provide(
      Agent.make({ session, tools: makeTools(begun), concurrency, modelRetries: 0 }),
      scope,
    )
    const close = Scope.close(scope, Exit.void)
    const told: Array<Fiber.Fiber<unknown, unknown>> = []
    for (const { kind, after } of stimuli) {
      yield* pause(after)
      if (kind === "close") yield* close
      else
        told.push(
          yield* Effect.forkChild(Inbox.perform(agent, { kind, text: kind }), { startImmediately: true }),
        )
    }
    const exits = yield* Fiber.awaitAll(told)
    yield* agent.awaitIdle
    const wasClosed = agent.status() === "disposed"
    yield* close
    return { session, begun, exits, wasClosed }
  }).pipe(
    Effect.scoped,
    Effect.provide([
      services(ScriptedModel.make({ steps }).model, slowStore(storeTurns)),
      asking,
      person(answer),
    ]),
  )

const judge = (session: Session, begun: ReadonlyMap<string, number>, wasClosed: boolean) => {
  expect(verify(session.log())).toEqual([])
  expect(session.state().turnIsOpen).toBe(false)
  const left = session.state().pending.map(({ kind }) => kind)
  if (!wasClosed) expect(left).not.toContain("user")
  const started = all(session, "tool/call").flatMap(({ starts, callId }) =>
    starts === false ? [] : [callId],
  )
  const denied = all(session, "approval/decided").flatMap(({ verdict, callId }) =>
    verdict === "deny" ? [callId] : [],
  )
  expect(denied.filter((callId) => begun.has(callId))).toEqual([])
  for (const [callId, times] of begun)
    expect([callId, times, started.includes(callId)]).toEqual([callId, 1, true])
}

describe("any order of stimuli", () => {
  it("leaves a lawful log, an idle agent, every message claimed once, and every body begun at most once", () =>
    fc.assert(
      fc.asyncProperty(plan, async (chosen) => {
        const { session, begun, exits, wasClosed } = await Effect.runPromise(live(chosen))
        judge(session, begun, wasClosed)
        for (const exit of exits) {
          if (Exit.isSuccess(exit)) continue
          expect(exit).toMatchObject({
            cause: { reasons: [{ _tag: "Fail", error: { _tag: "AgentDisposed" } }] },
          })
        }
      }),
      { numRuns: runs(150) },
    ))
})
