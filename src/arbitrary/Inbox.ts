/**
 * Draw what comes to an agent from outside, and when; and do it.
 *
 * In:  nothing.      Out: an arbitrary of schedules; an effect that plays one to an agent and tells how each act ended.
 * Order: acts begin in their order, each some turns of the scheduler after the one before, whatever that one does.
 * Not here: orders of what happens inside the agent (`explore/`), its tools and its model.
 */
import { Effect, type Exit, Fiber } from "effect"
import * as fc from "fast-check"
import type { Agent, AgentError } from "../loop/Agent.ts"

export interface Act {
  readonly kind: "prompt" | "send" | "steer" | "inject" | "abort"
  /** What is said; an abort gives it for its reason. */
  readonly text: string
  /** Turns of the scheduler between the act before and this one. */
  readonly after: number
}

/** Some prompts, with all the rest before, between and behind them. It shrinks to fewer acts and shorter waits. */
export const schedule: fc.Arbitrary<ReadonlyArray<Act>> = fc.array(
  fc.record({
    kind: fc.constantFrom<Act["kind"]>("prompt", "prompt", "send", "steer", "steer", "inject", "abort"),
    text: fc.constantFrom("go on", "stop that", "look at this", ""),
    after: fc.nat(25),
  }),
  { minLength: 1, maxLength: 8 },
)

/**
 * Play a schedule and wait until the agent is idle.
 *
 * Errors: none; the exits, in the order of the acts, tell what each came to.
 * @example docs/examples/35-properties.test.ts
 */
export const play = <A>(
  agent: Agent<A>,
  acts: ReadonlyArray<Act>,
): Effect.Effect<ReadonlyArray<Exit.Exit<unknown, AgentError>>> =>
  Effect.gen(function* () {
    const begun: Array<Fiber.Fiber<unknown, AgentError>> = []
    for (const act of acts) {
      yield* Effect.repeat(Effect.yieldNow, { times: act.after })
      begun.push(yield* Effect.forkChild(perform(agent, act), { startImmediately: true }))
    }
    const exits = yield* Fiber.awaitAll(begun)
    yield* Effect.ignore(agent.awaitIdle)
    return exits
  })

/** Do one thing to an agent. */
export const perform = <A>(
  agent: Agent<A>,
  { kind, text }: Pick<Act, "kind" | "text">,
): Effect.Effect<unknown, AgentError> => {
  switch (kind) {
    case "prompt":
      return agent.prompt(text)
    case "send":
      return agent.send(text)
    case "steer":
      return agent.steer(text)
    case "inject":
      return agent.inject(text, { source: "schedule" })
    default:
      return agent.abort(text)
  }
}
