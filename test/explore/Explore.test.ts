/** The loop as it is, in thousands of orders; and what a failure tells. LONG=1 tries a hundred thousand. */
import { readFile } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import * as Explore from "../../src/explore/Explore.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { isLong, report } from "../store/scale.ts"
import { calls, policies, talk } from "./world.ts"

const seed = Number(process.env["SEED"] ?? 20261130) || Date.now()
const figures: Array<string> = []
afterAll(() => report(`explored from seed ${seed}: ${figures.join(", ")}`))

describe("the loop", () => {
  it.each([
    { name: "calls", options: calls, share: 1_000 },
    { name: "talk", options: talk, share: 700 },
    { name: "policies", options: policies, share: 300 },
  ])(
    "breaks no law in any order that is tried: $name",
    async ({ name, options, share }) => {
      const runs = isLong ? share * 50 : share
      const start = performance.now()
      const failure = await Explore.explore({ ...options, runs, seed })
      expect(failure?.message).toBeUndefined()
      figures.push(`${name} ${runs} in ${Math.round(performance.now() - start)} ms`)
    },
    3_600_000,
  )
})

/** A seat is held while somebody pays, and for ever when the payment breaks off. */
const seats = (): Explore.World => {
  let isHeld = false
  const hold = (to: boolean) =>
    Effect.sync(() => {
      isHeld = to
    })
  const book = defineTool({
    name: "book",
    description: "Book the last seat",
    parameters: {},
    run: () => Effect.andThen(hold(true), Effect.andThen(Effect.sleep(2_000), hold(false))),
  })
  return {
    agent: () => ({ tools: Toolbox.make(book) }),
    model: { steps: [{ calls: [{ name: "book", arguments: "{}" }] }, { text: "done" }] },
    judge: () => (isHeld ? "the seat is held for ever" : undefined),
  }
}

const options: Explore.Options = {
  world: seats,
  stimuli: [Explore.prompt("book"), Explore.abort],
  runs: 200,
  seed: 7,
  faults: { crashes: 0, storeFailures: 0, cuts: 0 },
}

describe("a failure", { timeout: 120_000 }, () => {
  it("is a story without needless things, and says how to repeat it", async () => {
    const stimuli = [Explore.prompt("book"), Explore.inject("hurry"), Explore.abort]
    const failure = await Explore.explore({ ...options, stimuli })
    expect(failure).toMatchObject({ name: "ExplorationFailed", rule: "judge" })
    const story = failure?.message ?? ""
    expect(story).toContain("judge: the seat is held for ever")
    expect(story).toContain("the body of book begins")
    expect(story).toContain("abort")
    expect(story).not.toContain("hurry")
    expect(failure?.schedule).toMatch(/^-2 \d+:1$/)
    expect(story).toContain(`of seed 7; reproduce with schedule: "${failure?.schedule}"`)
  })

  it("comes again from the same seed, and from its schedule", async () => {
    const first = await Explore.explore(options)
    const second = await Explore.explore(options)
    expect(second?.message).toBe(first?.message)
    expect(second?.runs).toBe(first?.runs)
    const repeated = await Explore.explore({ ...options, schedule: first?.schedule ?? "" })
    expect(repeated).toMatchObject({ rule: "judge", schedule: first?.schedule })
  })

  it("is what check rejects with, and check resolves when there is none", async () => {
    await expect(Explore.check(options)).rejects.toBeInstanceOf(Explore.ExplorationFailed)
    await expect(
      Explore.check({ ...options, stimuli: [Explore.prompt("book")], runs: 1 }),
    ).resolves.toMatchObject({ runs: 1, turns: { completed: 1 } })
  })

  it("is told of an agent that cannot be made", async () => {
    const world = () => ({ ...seats(), agent: () => ({ tools: Toolbox.empty, concurrency: 0 }) })
    const failure = await Explore.explore({ ...options, world, runs: 1 })
    expect(failure?.rule).toBe("explore.idle")
    expect(failure?.message).toContain("concurrency")
  })

  it("is told of a body that waits for what never comes", async () => {
    const wait = defineTool({ name: "book", description: "Wait", parameters: {}, run: () => Effect.never })
    const world = () => ({ ...seats(), agent: () => ({ tools: Toolbox.make(wait) }) })
    const failure = await Explore.explore({ ...options, world, stimuli: [Explore.prompt("book")], runs: 1 })
    expect(failure?.message).toContain('explore.idle: prompt "book" (m1) never returns')
    expect(failure?.message).toContain("the body of book waits for something outside the explored world")
  })

  it("is what an assertion of the judge throws, with story and schedule", async () => {
    const world = () => ({
      ...seats(),
      judge: ({ log }: Explore.End) => {
        expect(log.map(({ type }) => type)).not.toContain("turn/abort")
        return undefined
      },
    })
    const failure = await Explore.explore({ ...options, world })
    expect(failure).toMatchObject({ rule: "judge" })
    expect(failure?.message).toContain("judge: expected")
    expect(failure?.story).toContain("turn/abort")
    const again = await Explore.explore({ ...options, world, schedule: failure?.schedule ?? "" })
    expect(again?.story).toBe(failure?.story)
  })
})

describe("a world", () => {
  it("may have bodies that are async functions", async () => {
    let runs = 0
    const slow = defineTool({
      name: "book",
      description: "Book",
      parameters: {},
      run: async () => {
        await Promise.resolve()
        runs += 1
        return "booked"
      },
    })
    const world = () => ({ ...seats(), agent: () => ({ tools: Toolbox.make(slow) }) })
    expect(
      await Explore.explore({ ...options, world, stimuli: [Explore.prompt("book")], runs: 20 }),
    ).toBeUndefined()
    expect(runs).toBeGreaterThan(10)
  })

  it("may have bodies that wait for the real world, and waits with them when nothing else goes on", async () => {
    const read = defineTool({
      name: "book",
      description: "Read",
      parameters: {},
      run: async () => (await readFile("package.json", "utf8")).length,
    })
    const world = () => ({ ...seats(), agent: () => ({ tools: Toolbox.make(read) }) })
    expect(
      await Explore.explore({ ...options, world, stimuli: [Explore.prompt("book")], runs: 20 }),
    ).toBeUndefined()
  })

  it("is made anew for each run, and its agent for each process", async () => {
    let worlds = 0
    let agents = 0
    const world = () => {
      worlds += 1
      const { agent, ...rest } = seats()
      return {
        ...rest,
        agent: () => {
          agents += 1
          return agent()
        },
      }
    }
    const stimuli = [Explore.prompt("book"), Explore.restart]
    await Explore.explore({ ...options, world, stimuli, runs: 1 })
    expect([worlds, agents]).toEqual([1, 2])
  })
})

describe("a schedule", () => {
  it("that is none is refused with an example of one", async () => {
    await expect(Explore.explore({ ...options, schedule: "twelve" })).rejects.toThrow('such as "12:1 40:3"')
  })
})

describe("what was lived through", () => {
  const prompted = { ...options, stimuli: [Explore.prompt("book")], faults: {} }

  it("is given by check: how turns ended, and how much was asked, done and broken", async () => {
    const { runs, turns, requests, bodies, crashes, storeFailures, cuts } = await Explore.check({
      ...prompted,
      world: () => ({ ...seats(), judge: () => undefined }),
      runs: 60,
    })
    expect(runs).toBe(60)
    expect(turns.completed).toBeGreaterThan(20)
    expect(turns.failed).toBeGreaterThan(0)
    expect(turns.completed + turns.failed + turns.interrupted).toBe(60)
    expect(requests).toBeGreaterThan(60)
    expect(bodies).toBeGreaterThan(40)
    expect(Math.min(crashes, storeFailures, cuts)).toBeGreaterThan(0)
    expect(Math.max(crashes, storeFailures, cuts)).toBeLessThanOrEqual(60)
  })

  const mute = { name: "mute", stream: () => Stream.die(new Error("no model is here")) }

  it.each([
    {
      whose: "a script that is used up at once",
      model: { steps: [] },
      told: "the script has 0 steps, and was asked for another",
    },
    {
      whose: "a script with a step too few",
      model: { steps: [{ calls: [{ name: "book", arguments: "{}" }] }] },
      told: "the script has 1 step, and was asked for another",
    },
    { whose: "a model that always throws", model: mute, told: "no model is here" },
  ])("is a failure when no turn is completed in any run: $whose", async ({ model, told }) => {
    const world = () => ({ ...seats(), model, judge: () => undefined })
    const failure = await Explore.explore({ ...prompted, world, runs: 10 })
    expect(failure?.rule).toBe("explore.completed")
    expect(failure?.message).toContain("no turn was completed in 10 runs (10 failed)")
    expect(failure?.message).toContain("wantsCompleted: false")
    expect(failure?.story).toContain(told)
    const again = await Explore.explore({ ...prompted, world, schedule: failure?.schedule ?? "1:1" })
    expect(again?.rule).toBe("explore.completed")
    const { turns } = await Explore.check({ ...prompted, world, runs: 10, wantsCompleted: false })
    expect(turns).toMatchObject({ completed: 0, failed: 10 })
  })

  it("is a turn that is completed when a used-up script is to answer with empty text", async () => {
    const world = () => ({ ...seats(), model: { steps: [] }, whenUsedUp: "empty" }) as const
    const { turns } = await Explore.check({ ...prompted, world, runs: 1 })
    expect(turns.completed).toBe(1)
  })
})

describe("options", () => {
  it.each([
    [{ runs: 0 }, "runs is 0, and must be a whole number from 1 to 10000000"],
    [{ runs: Number.NaN }, "runs is NaN"],
    [{ runs: -5 }, "runs is -5"],
    [{ runs: Number.POSITIVE_INFINITY }, "runs is Infinity"],
    [{ seed: 0.5 }, "seed is 0.5"],
    [{ faults: { crashes: -1 } }, "faults.crashes is -1, and must be a whole number from 0 to 100"],
    [{ faults: { cuts: Number.NaN } }, "faults.cuts is NaN"],
    [{ stimuli: [] }, "stimuli are 0, and must be a whole number from 1 to 100"],
  ])("with which nothing could be explored are refused: %j", async (wrong, told) => {
    const refusal = await Explore.check({ ...options, ...wrong }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RangeError)
    expect(String(refusal)).toContain(told)
  })
})

describe("a judge", () => {
  /** As JavaScript would give it, where no type says what may be given. */
  const judging = async (given: unknown) => {
    const world = () => ({ ...seats(), ...Object.fromEntries([["judge", () => given]]) })
    return Explore.explore({ ...options, world, stimuli: [Explore.prompt("book")], runs: 1 })
  }

  it.each([
    ["true", true, "the judge gives true"],
    ["a number", 1, "the judge gives 1"],
    ["nothing that is null", null, "the judge gives null"],
    ["an error", new Error("held"), "the judge gives a value of Error"],
    ["an Effect", Effect.succeed("held"), "the judge gives an Effect, which nobody runs"],
    ["a promise", Promise.resolve("held"), "the judge gives a promise, which nobody waits for"],
    ["a list of what is no text", ["held", 1], "the judge gives a value of Array"],
  ])("that gives %s is refused", async (_what, given, told) => {
    const failure = await judging(given)
    expect(failure?.rule).toBe("judge")
    expect(failure?.message).toContain(told)
    expect(failure?.message).toContain("let it give nothing when all is well")
  })

  it.each([
    ["a text", "held", "judge: held"],
    ["texts", ["held", "for ever"], "judge: held; for ever"],
    ["a text without a word", "", "judge: an empty text"],
  ])("may complain by %s", async (_what, given, told) => {
    expect((await judging(given))?.message).toContain(told)
  })

  it.each([
    ["nothing", undefined],
    ["no texts", []],
  ])("that gives %s finds all well", async (_what, given) => {
    expect(await judging(given)).toBeUndefined()
  })

  it("may be an arrow whose assertion gives nothing", async () => {
    const world = (): Explore.World => ({ ...seats(), judge: ({ log }) => expect(log).not.toEqual([]) })
    await Explore.check({ ...options, world, stimuli: [Explore.prompt("book")], runs: 1 })
  })
})

/** Each booking reads how many there are, and writes one more: in two operations. */
const counting = (): Explore.World => {
  let written = 0
  let bookings = 0
  const read = Effect.sync(() => written)
  const write = (count: number) =>
    Effect.sync(() => {
      written = count
      bookings += 1
    })
  const book = defineTool({
    name: "book",
    description: "Count a booking",
    parameters: {},
    run: () => Effect.flatMap(read, (count) => write(count + 1)),
  })
  const call = { name: "book", arguments: "{}" }
  return {
    agent: () => {
      written = 0
      bookings = 0
      return { tools: Toolbox.make(book), concurrency: 2 }
    },
    model: { steps: [{ calls: [call, call] }, { text: "done" }] },
    judge: () => (written === bookings ? undefined : `${bookings} bookings are counted as ${written}`),
  }
}

describe("a body that is held up in its middle", { timeout: 60_000 }, () => {
  it("loses an update in the runs that are tried unless told otherwise, from any seed", async () => {
    for (const seed of [1, 2, 3]) {
      const failure = await Explore.explore({ world: counting, stimuli: [Explore.prompt("book")], seed })
      expect(failure?.message).toContain("judge: 2 bookings are counted as 1")
      expect(failure?.schedule).toMatch(/^\d+:\d+$/)
    }
  })
})

describe("an act of the user's own", { timeout: 60_000 }, () => {
  it("comes in the order of the stimuli, at a moment that the schedule chooses", async () => {
    const moments = new Set<string>()
    const look = Explore.act("look", ({ agent, session }) =>
      Effect.sync(() => void moments.add(`${agent.status()} ${session.log().at(-1)?.type}`)),
    )
    const world = () => ({ ...seats(), judge: () => undefined })
    await Explore.check({ ...options, world, stimuli: [Explore.prompt("book"), look], runs: 60 })
    expect(moments.size).toBeGreaterThan(4)
  })

  it("is done once, also when its process dies meanwhile", async () => {
    let times = 0
    const wait = Effect.andThen(
      Effect.sync(() => void (times += 1)),
      Effect.sleep(5_000),
    )
    const world = () => {
      times = 0
      return { ...seats(), judge: () => (times === 1 ? undefined : `it was done ${times} times`) }
    }
    const stimuli = [Explore.prompt("book"), Explore.act("wait", () => wait)]
    const { crashes } = await Explore.check({ ...options, world, stimuli, runs: 100, faults: {} })
    expect(crashes).toBeGreaterThan(20)
  })

  it("is told in the story, and that it fails or never ends", async () => {
    const act = (run: () => Effect.Effect<unknown, unknown>) =>
      Explore.explore({ ...options, stimuli: [Explore.prompt("book"), Explore.act("pay", run)], runs: 1 })
    const failed = await act(() => Effect.fail("no money"))
    expect(failed?.rule).toBe("explore.unanswered")
    expect(failed?.story).toContain('act "pay" fails: no money')
    const stuck = await act(() => Effect.never)
    expect(stuck?.message).toContain('explore.idle: act "pay" never returns')
  })
})
