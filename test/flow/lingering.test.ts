/**
 * An async body that is told to stop: it is waited for a while, and what it touches stays closed until it has ended.
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { toText } from "../../src/message/Content.ts"
import * as Grace from "../../src/policy/Grace.ts"
import { defineTool, timeout } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, tell, type World } from "./world.ts"

type Ending = "at its signal" | "late" | "never"

/** A body that writes a file and ends as it likes, and calls that touch the same file or nothing. */
const makeTools = (ending: Ending) => {
  let inside = 0
  let most = 0
  const reasons: Array<unknown> = []
  const started = Deferred.makeUnsafe<void>()
  const release = Deferred.makeUnsafe<void>()
  const enter = () => {
    inside += 1
    most = Math.max(most, inside)
  }
  const leave = () => {
    inside -= 1
  }
  const writes = () => ({ writes: ["file:a"] })
  const slow = defineTool({
    name: "slow",
    description: "Writes, and takes its time",
    parameters: {},
    resources: writes,
    run: async (_, { signal }) => {
      enter()
      Deferred.doneUnsafe(started, Effect.void)
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason)
          if (ending === "at its signal") resolve()
        })
        void Effect.runPromise(Deferred.await(release)).then(resolve)
      })
      leave()
    },
  })
  const run = () => Effect.sync(() => (enter(), leave(), "written"))
  const write = defineTool({ name: "write", description: "Writes", parameters: {}, resources: writes, run })
  const look = defineTool({
    name: "look",
    description: "Is in nobody's way",
    parameters: {},
    run: () => Effect.succeed("seen"),
  })
  return {
    tools: Toolbox.make(slow.pipe(timeout("1 minute")), write, look),
    started: Deferred.await(started),
    /** Let the slow body end, and everybody hear of it. */
    letGo: Effect.promise(() => {
      Deferred.doneUnsafe(release, Effect.void)
      return new Promise((resolve) => setImmediate(resolve))
    }),
    most: () => most,
    reasons: () => reasons.map((reason) => (reason instanceof DOMException ? reason.name : reason)),
  }
}

const call = (name: string) => ({ name, arguments: "{}" })
const steps = [
  { calls: [call("slow"), call("write"), call("look")] },
  { text: "done" },
  { calls: [call("write"), call("look")] },
  { text: "done" },
  { calls: [call("write")] },
  { text: "done" },
]
/** What an abort cuts off is the answer that would have been next. */
const abortedSteps = steps.filter((_, index) => index !== 1)

const told = (session: World["session"], from: number) =>
  all(session, "tool/result")
    .slice(from)
    .map(({ outcome, error }) => (error === undefined ? outcome : `${outcome} ${error.code}`))

const textOf = (session: World["session"], outcome: string): string =>
  all(session, "tool/result")
    .flatMap((result) => (result.outcome === outcome ? [toText(result.content)] : []))
    .join()

const busy = "not-started RESOURCE_BUSY"

describe.each<[Ending, boolean, boolean]>([
  ["at its signal", false, false],
  ["late", true, false],
  ["never", true, true],
])("an async body that ends %s", (ending, isBusyThen, isBusyForEver) => {
  const last = (story: World, tools: ReturnType<typeof makeTools>) =>
    Effect.gen(function* () {
      const { agent, session } = story
      yield* agent.prompt("and now?")
      expect(told(session, 3).sort()).toEqual(["success", isBusyThen ? busy : "success"].sort())
      if (ending === "late") yield* tools.letGo
      yield* agent.prompt("and now?")
      expect(told(session, 5)).toEqual([isBusyForEver ? busy : "success"])
      expect(tools.most()).toBe(1)
    })

  it.effect("and ran out of time leaves its resources to others when it has ended", () => {
    const made = makeTools(ending)
    return tell(steps, { tools: made.tools }, (story) =>
      Effect.gen(function* () {
        const turn = yield* Effect.forkChild(story.agent.prompt("go"))
        yield* made.started
        yield* TestClock.adjust("1 minute")
        expect((yield* Fiber.join(turn)).reason.kind).toBe("completed")
        expect(made.reasons()).toEqual(["TimeoutError"])
        const first = ["success", "timed-out TOOL_TIMEOUT", isBusyThen ? busy : "success"]
        expect(told(story.session, 0).sort()).toEqual(first.sort())
        expect(textOf(story.session, "timed-out")).toContain(
          isBusyThen ? "may still do its work" : "It was stopped",
        )
        expect(textOf(story.session, "not-started")).toContain(
          isBusyThen ? "slow was told to stop and has not" : "",
        )
        yield* last(story, made)
      }),
    ).pipe(Effect.provide(Grace.layer("5 millis")))
  })

  it.effect("and was aborted leaves its resources to others when it has ended", () => {
    const made = makeTools(ending)
    return tell(abortedSteps, { tools: made.tools }, (story) =>
      Effect.gen(function* () {
        const turn = yield* Effect.forkChild(story.agent.prompt("go"))
        yield* made.started
        while (told(story.session, 0).length === 0) yield* Effect.yieldNow
        yield* story.agent.abort("enough")
        expect((yield* Fiber.join(turn)).reason.kind).toBe("aborted")
        expect(made.reasons()).toEqual(["AbortError"])
        expect(told(story.session, 0).sort()).toEqual(
          ["interrupted ABORTED", "interrupted-before-start ABORTED_BEFORE_START", "success"].sort(),
        )
        expect(textOf(story.session, "interrupted")).toContain(
          isBusyThen ? "may still do its work" : "may have done a part",
        )
        yield* last(story, made)
      }),
    ).pipe(Effect.provide(Grace.layer("5 millis")))
  })
})
