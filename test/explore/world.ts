/**
 * The agents that are explored: one with calls that are idempotent and not and a model whose connections are counted,
 * one that is talked to, one under policies.
 *
 * Not here: what is planted in it (`plants.ts`).
 */
import { Effect, Layer, Stream } from "effect"
import * as Explore from "../../src/explore/Explore.ts"
import { type Found, type Search, search } from "../../src/explore/search.ts"
import type { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"

const tools = Toolbox.make(
  defineTool({
    name: "safe",
    description: "May run again",
    parameters: {},
    idempotent: true,
    run: () => Effect.succeed("safe"),
  }),
  defineTool({
    name: "once",
    description: "Must not run again",
    parameters: {},
    run: () => Effect.as(Effect.sleep(10), "once"),
  }),
)

const about = { description: "A tool", parameters: {} } as const

const many = Toolbox.make(
  defineTool({ ...about, name: "asked", run: () => Effect.as(Effect.sleep(5), "asked") }),
  defineTool({ ...about, name: "slow", idempotent: true, run: () => Effect.sleep(50) }).pipe(
    Tool.timeout("20 millis"),
  ),
  defineTool({ ...about, name: "promise", run: async () => "kept" }),
  defineTool({ ...about, name: "bug", run: () => Effect.die(new Error("a bug")) }),
  defineTool({
    ...about,
    name: "write",
    resources: () => ({ writes: ["file"] }),
    run: () => Effect.sleep(3),
  }),
)

const call = (id: string, name: string) => ({ id, name, arguments: "{}" })

const steps: ScriptedModel.Plan["steps"] = [
  { calls: [call("c1", "safe"), call("c2", "once")] },
  { text: "done" },
]

/** A model whose streams must be closed again by the process that opened them. */
const makeConnections = () => {
  let open = 0
  const model: Model["Service"] = {
    name: "script:connected",
    stream: (request) => {
      const answered = request.messages.filter(({ role }) => role === "assistant").length
      const stream = ScriptedModel.make({ steps: steps.slice(answered) }).model.stream(request)
      const opened = Effect.acquireRelease(
        Effect.sync(() => void (open += 1)),
        () => Effect.sync(() => void (open -= 1)),
      )
      return Stream.unwrap(Effect.as(opened, stream))
    },
  }
  return {
    model,
    reset: () => {
      open = 0
    },
    open: () => open,
  }
}

export const world = (): Explore.World => {
  const { model, reset, open } = makeConnections()
  return {
    agent: () => {
      reset()
      return { tools, concurrency: 2, limits: { wallTime: "1 minute" } }
    },
    model,
    judge: () => (open() === 0 ? undefined : `${open()} streams of the model were never closed`),
  }
}

const stimuli = [Explore.prompt("go"), Explore.steer("left"), Explore.abort]

/** Calls beside each other; one thing is said to the turn that runs, and then it is to stop. */
export const calls: Explore.Options = { world, stimuli, faults: { crashes: 2 } }

/** Much is said, and nothing called; the agent is closed and made anew in between. */
export const talk: Explore.Options = {
  world: () => ({
    agent: () => ({ tools: Toolbox.empty }),
    model: { steps: [{ text: "one" }, { text: "two" }] },
    whenUsedUp: "empty",
  }),
  stimuli: [Explore.prompt("a"), Explore.inject("b"), Explore.steer("c"), Explore.restart, Explore.abort],
}

/** A person is asked, time runs out, two calls want the same, one is a promise, one has a bug, the model is busy once. */
export const policies: Explore.Options = {
  world: () => ({
    agent: () => ({ tools: many, concurrency: 2, limits: { steps: 6 } }),
    model: {
      steps: [
        { calls: [call("c1", "asked"), call("c2", "slow"), call("c3", "promise")] },
        { calls: [call("c4", "bug"), call("c5", "write"), call("c6", "write")] },
        { text: "done" },
      ],
    },
    whenUsedUp: "empty",
    services: Layer.mergeAll(
      Guard.layer(({ tool }) => Effect.succeed(tool === "asked" ? Guard.ask("may it?") : Guard.allow)),
      Layer.succeed(Approver.Approver, () => Effect.as(Effect.sleep(7), Approver.allow)),
    ),
  }),
  stimuli: [Explore.send("a"), Explore.abort, Explore.steer("b"), Explore.restart],
  faults: { crashes: 2 },
}

/** Search the world with calls, and leave what is found as long as it is. */
export const find = async (options: Search): Promise<Found | undefined> => {
  const { found } = await search(
    { world, faults: { crashes: 2, storeFailures: 1, cuts: 1 } },
    stimuli.map((draft, at) => draft(`m${at + 1}`)),
    options,
  )
  return found
}

/** Search it, and make what is found short. */
export const explore = (options: Partial<Explore.Options>) => Explore.explore({ ...calls, ...options })
