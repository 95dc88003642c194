/** The loop as it is, in thousands of orders; and what a failure tells. LONG=1 tries a hundred thousand. */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
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
    ).resolves.toBeUndefined()
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
