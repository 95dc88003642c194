/** A guard asks, and the log can prove what was asked, until when, and who said what. */
import { it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import { Observer } from "../../src/session/Observer.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, logged, type Step, services, tell, types } from "./world.ts"

const tools = Toolbox.make(echo)
const steps: ReadonlyArray<Step> = [{ calls: [callEcho("a", "c1")] }, { text: "done" }]
const asking = Guard.layer(() => Effect.succeed(Guard.ask("it may be loud")))
const yes = { _tag: "allow", by: "Ada" } as const

const answering = (approver: Approver.Approver) =>
  Layer.merge(asking, Layer.succeed(Approver.Approver, approver))

describe("an approval", () => {
  it.effect("is asked and decided in the log before the call starts", () => {
    const questions: Array<Approver.Question> = []
    const approver: Approver.Approver = (question) =>
      Effect.sync(() => {
        questions.push(question)
        return yes
      })
    return tell(steps, { tools, approvalTimeout: "1 minute" }, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        const digest = Approver.digest("echo", '{ "word": "a" }', echo.fingerprint)
        expect(all(session, "approval/asked")).toEqual([
          { turn: 1, step: 1, callId: "c1", digest, expiresAt: 60_000 },
        ])
        expect(all(session, "approval/decided")).toEqual([
          { callId: "c1", digest, verdict: "allow", by: "Ada" },
        ])
        expect(types(session).slice(5, 9)).toEqual([
          ...["assistant/message", "approval/asked", "approval/decided", "tool/call"],
        ])
        expect(questions).toEqual([
          {
            callId: "c1",
            tool: "echo",
            args: { word: "a" },
            reason: "it may be loud",
            digest,
            expiresAt: 60_000,
          },
        ])
      }),
    ).pipe(Effect.provide(answering(approver)))
  })

  it.effect.each([
    ["nobody is there", undefined, "nobody", "nobody is there to give it"],
    [
      "it says no",
      () => Effect.succeed({ _tag: "deny", reason: "too late at night" } as const),
      "approver",
      "too late",
    ],
    ["it fails", () => Effect.fail("the line is dead"), "failure", "the line is dead"],
    ["it dies", () => Effect.die(new Error("a bug")), "failure", "a bug"],
    [
      "it throws",
      () => {
        throw new Error("a bug")
      },
      "failure",
      "a bug",
    ],
    ["it stops itself", () => Effect.interrupt, "failure", "it stopped itself"],
  ] as ReadonlyArray<readonly [string, Approver.Approver | undefined, string, string]>)(
    "is a no when %s",
    ([, approver, by, reason]) =>
      tell(steps, { tools }, ({ agent, session, requests }) =>
        Effect.gen(function* () {
          yield* agent.prompt("go")
          expect(all(session, "approval/decided")).toMatchObject([{ verdict: "deny", by }])
          expect(all(session, "tool/result")).toMatchObject([
            { outcome: "denied", error: { code: "TOOL_DENIED" } },
          ])
          expect(all(session, "tool/call")).toMatchObject([{ starts: false }])
          expect(JSON.stringify(requests()[1]?.messages)).toContain(reason)
        }),
      ).pipe(Effect.provide(approver === undefined ? asking : answering(approver))),
  )

  it.effect("that does not come in time is a no", () =>
    tell(steps, { tools, approvalTimeout: "1 minute" }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* logged(session, "approval/asked")
        yield* TestClock.adjust("59 seconds")
        expect(all(session, "approval/decided")).toEqual([])
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(prompt)
        expect(all(session, "approval/decided")).toMatchObject([{ verdict: "deny", by: "expiry" }])
        expect(all(session, "tool/result")).toMatchObject([{ outcome: "denied" }])
      }),
    ).pipe(Effect.provide(answering(() => Effect.never))),
  )

  it.effect("that comes too late, from an approver that cannot be stopped, is a no", () =>
    tell(steps, { tools, approvalTimeout: "1 minute" }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* logged(session, "approval/asked")
        yield* TestClock.adjust("2 minutes")
        yield* Fiber.join(prompt)
        expect(all(session, "approval/decided")).toMatchObject([{ verdict: "deny", by: "expiry" }])
      }),
    ).pipe(
      Effect.provide(answering(() => Effect.uninterruptible(Effect.as(Effect.sleep("2 minutes"), yes)))),
    ),
  )

  it.effect("that comes too late, from an approver that blocks the thread, is a no", () =>
    Effect.gen(function* () {
      const test = yield* Clock.Clock
      let blockedMillis = 0
      // Time goes by as the approver computes, and no timer can fire meanwhile.
      const clock: Clock.Clock = {
        sleep: (duration) => test.sleep(duration),
        currentTimeNanosUnsafe: () => test.currentTimeNanosUnsafe(),
        currentTimeNanos: test.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => test.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: test.monotonicTimeNanos,
        currentTimeMillisUnsafe: () => test.currentTimeMillisUnsafe() + blockedMillis,
        currentTimeMillis: Effect.sync(() => test.currentTimeMillisUnsafe() + blockedMillis),
      }
      const blocking: Approver.Approver = () =>
        Effect.sync(() => {
          blockedMillis = 120_000
          return yes
        })
      yield* tell(steps, { tools, approvalTimeout: "1 minute" }, ({ agent, session }) =>
        Effect.map(agent.prompt("go"), () => {
          expect(all(session, "approval/decided")).toMatchObject([{ verdict: "deny", by: "expiry" }])
          expect(all(session, "tool/result")).toMatchObject([{ outcome: "denied" }])
        }),
      ).pipe(Effect.provide(answering(blocking)), Effect.provideService(Clock.Clock, clock))
    }),
  )

  it.effect("that an abort cuts short is asked and never decided", () =>
    tell(steps, { tools }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* logged(session, "approval/asked")
        yield* agent.abort()
        expect((yield* Fiber.join(prompt)).reason.kind).toBe("aborted")
        expect(all(session, "approval/decided")).toEqual([])
        expect(all(session, "tool/result")).toMatchObject([{ outcome: "interrupted-before-start" }])
      }),
    ).pipe(Effect.provide(answering(() => Effect.never))),
  )

  it.effect("does not use up the time limit of the tool", () =>
    tell(steps, { tools: Toolbox.map(tools, Tool.timeout("1 second")) }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* logged(session, "approval/asked")
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(prompt)
        expect(all(session, "tool/result")).toMatchObject([{ outcome: "success" }])
      }),
    ).pipe(Effect.provide(answering(() => Effect.as(Effect.sleep("1 minute"), yes)))),
  )

  it.effect("is not asked for what an outer guard denies", () =>
    tell(steps, { tools }, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        expect(all(session, "approval/asked")).toEqual([])
        expect(all(session, "tool/result")).toMatchObject([{ outcome: "denied" }])
      }),
    ).pipe(
      Effect.provide(answering(() => Effect.succeed(yes))),
      Effect.provide(Guard.layer(() => Effect.succeed(Guard.deny("never")))),
    ),
  )

  it.effect("of one call holds no other call up", () => {
    const echoed = Deferred.makeUnsafe<void>()
    const signal = defineTool({
      name: "signal",
      description: "Say that it ran",
      parameters: {},
      run: () => Effect.as(Deferred.succeed(echoed, undefined), "ran"),
    })
    const call = { id: "c2", name: "signal", arguments: "{}" }
    return tell(
      [{ calls: [callEcho("a", "c1"), call] }, { text: "done" }],
      { tools: Toolbox.make(echo, signal), concurrency: 1 },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.prompt("go")
          expect(all(session, "tool/result").map(({ callId }) => callId)).toEqual(["c2", "c1"])
        }),
    ).pipe(
      Effect.provide(
        Guard.layer(({ tool }) => Effect.succeed(tool === "echo" ? Guard.ask("loud") : Guard.allow)),
      ),
      Effect.provideService(Approver.Approver, () => Effect.as(Deferred.await(echoed), yes)),
    )
  })

  it.effect("that a body needs for a call of its own is put under the caller's id, and not logged", () => {
    const questions: Array<Approver.Question> = []
    const approver: Approver.Approver = (question) =>
      Effect.sync(() => {
        questions.push(question)
        return yes
      })
    const twice = defineTool({
      name: "twice",
      description: "Echo two words",
      parameters: {},
      run: (_, { callId }) =>
        Effect.forEach(["a", "b"], (word) => Tool.run(echo)(JSON.stringify({ word }), { callId })),
    })
    return tell(
      [{ calls: [{ id: "c1", name: "twice", arguments: "{}" }] }, { text: "done" }],
      { tools: Toolbox.make(twice), approvalTimeout: "1 minute" },
      ({ agent, session }) =>
        Effect.gen(function* () {
          expect((yield* agent.prompt("go")).reason.kind).toBe("completed")
          expect(all(session, "tool/result")).toMatchObject([{ outcome: "success" }])
          const digest = Approver.digest("twice", "{}", twice.fingerprint)
          expect(all(session, "approval/asked")).toMatchObject([{ callId: "c1", digest }])
          expect(questions.map(({ tool, digest: named, expiresAt }) => [tool, named, expiresAt])).toEqual([
            ["twice", digest, 60_000],
            ["echo", undefined, 60_000],
            ["echo", undefined, 60_000],
          ])
        }),
    ).pipe(Effect.provide(answering(approver)))
  })

  it.effect("of a call that a body makes is a no when it does not come in time", () => {
    const nested = defineTool({
      name: "nested",
      description: "Echo a word",
      parameters: {},
      run: (_, { callId }) => Tool.run(echo)('{"word":"a"}', { callId }),
    })
    return tell(
      [{ calls: [{ id: "c1", name: "nested", arguments: "{}" }] }, { text: "done" }],
      { tools: Toolbox.make(nested), approvalTimeout: "1 minute" },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* logged(session, "tool/call")
          yield* TestClock.adjust("1 minute")
          yield* Fiber.join(prompt)
          expect(all(session, "tool/result")).toMatchObject([
            { outcome: "failed", error: { code: "TOOL_DENIED" } },
          ])
        }),
    ).pipe(Effect.provide(answering(({ tool }) => (tool === "echo" ? Effect.never : Effect.succeed(yes)))))
  })

  it.effect.each([
    ["yes", yes, { outcome: "success", isError: false }],
    [
      "no",
      Approver.deny("not any more"),
      { outcome: "denied", isError: true, error: { name: "ToolDenied", code: "TOOL_DENIED" } },
    ],
  ] as const)(
    "that expired while its call waited is asked for again: a later %s counts",
    ([, second, end]) => {
      const runs: Array<number> = []
      const write = defineTool({
        name: "write",
        description: "Write for an hour",
        parameters: { n: { type: "integer", required: true } },
        resources: () => ({ writes: ["the file"] }),
        run: ({ n }) =>
          Effect.as(
            Effect.andThen(
              Effect.sync(() => runs.push(n)),
              Effect.sleep("1 hour"),
            ),
            n,
          ),
      })
      let asked = 0
      const approver: Approver.Approver = () => Effect.sync(() => (++asked > 2 ? second : yes))
      const call = (n: number) => ({ id: `c${n}`, name: "write", arguments: JSON.stringify({ n }) })
      return tell(
        [{ calls: [call(1), call(2)] }, { text: "done" }],
        { tools: Toolbox.make(write), approvalTimeout: "1 minute" },
        ({ agent, session }) =>
          Effect.gen(function* () {
            const prompt = yield* Effect.forkChild(agent.prompt("go"))
            yield* logged(session, "tool/call")
            yield* TestClock.adjust("1 hour")
            yield* TestClock.adjust("1 hour")
            yield* Fiber.join(prompt)
            expect(
              all(session, "approval/asked").map(({ callId, expiresAt }) => [callId, expiresAt]),
            ).toEqual([
              ["c1", 60_000],
              ["c2", 60_000],
              ["c2", 3_660_000],
            ])
            expect(all(session, "tool/result")[1]).toMatchObject(end)
            expect(runs).toEqual(end.isError ? [1] : [1, 2])
          }),
      ).pipe(Effect.provide(answering(approver)))
    },
  )

  it.effect("that the log cannot take starts no body, and what the observer threw kills the agent", () => {
    const bug = new Error("an observer's bug")
    let ran = 0
    const count = defineTool({
      name: "echo",
      description: "Count",
      parameters: { word: { type: "string", required: true } },
      run: () => Effect.sync(() => ++ran),
    })
    const watch = () => ({
      onAppend: (events: ReadonlyArray<SessionEvent>) => {
        if (events.some(({ type }) => type === "approval/decided")) throw bug
      },
      onStatus: () => {},
      onAcknowledge: () => {},
      onRequest: () => {},
    })
    return Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.make(count) })
      const exit = yield* Effect.exit(agent.prompt("go"))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("an observer's bug")
      expect(ran).toBe(0)
      yield* Effect.exit(agent.awaitIdle)
      expect(agent.status()).toBe("disposed")
    }).pipe(
      Effect.scoped,
      Effect.provideService(Observer, { watch }),
      Effect.provide(answering(() => Effect.succeed(yes))),
      Effect.provide(services(ScriptedModel.make({ steps }).model)),
    )
  })
})
