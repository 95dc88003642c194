/**
 * Let an agent live through many orders of events, crashes and failures, and see whether it ever breaks.
 *
 * In:  a world made anew for each run, and what is said to its agent.      Out: what was lived through, when all is well.
 * Fails with: `ExplorationFailed`, a story of the shortest run that was found, with the schedule that repeats it;
 * a `RangeError` for options with which nothing could be explored.
 * Order: everything runs in memory under a virtual clock, and the same seed does the same. A body that waits for a real
 * timer or a real server is outside of that: it is waited for, and a run with it cannot be repeated to the letter.
 * Not here: single turns (`ScriptedModel`), logs at rest (`invariant/Verifier`).
 * Source: PROTOCOL "Exploring schedules".
 */
import { type Effect, Struct } from "effect"
import * as Choices from "./choices.ts"
import type { Faults, Summary, World } from "./course.ts"
import { type Game, play } from "./play.ts"
import { search } from "./search.ts"
import { type Failing, shrink } from "./shrink.ts"
import { into, type Present, type Stimulus as Said } from "./story.ts"

export type { End, Faults, Summary, Violation, World } from "./course.ts"
export type { Present } from "./story.ts"

/** Something that is done to the agent. A message gets its id by its place in the list: the nth is `m<n>`. */
export type Stimulus = (messageId: string) => Said

const say =
  (kind: "prompt" | "send" | "steer" | "inject") =>
  (text: string): Stimulus =>
  (messageId) => ({ kind, messageId, text })

/** Say something and wait for its turn. */
export const prompt = say("prompt")
/** Say something for a turn of its own. */
export const send = say("send")
/** Say something to the turn that runs. */
export const steer = say("steer")
/** Add context for the next step. */
export const inject = say("inject")
/** End the turn that runs. */
export const abort: Stimulus = () => ({ kind: "abort" })
/** Close the agent's scope, and serve the session with a new one. */
export const restart: Stimulus = () => ({ kind: "restart" })
/**
 * Do something of your own beside the agent: an event is appended, a flag is set, a second thing is asked for. It must end
 * without an error, in virtual time; when its process dies before that, it is not done again.
 */
export const act =
  (name: string, run: (present: Present) => Effect.Effect<unknown, unknown>): Stimulus =>
  () => ({ kind: "act", name, run })

export interface Options {
  /** Called for each run. */
  readonly world: () => World
  /** In the order in which they begin; when, a schedule chooses. From 1 to 100. */
  readonly stimuli: ReadonlyArray<Stimulus>
  /** Schedules to try: 1 to 10,000,000; 200 unless given. */
  readonly runs?: number
  /** A whole number; 1 unless given. */
  readonly seed?: number
  /** How often there may be trouble in one run, 0 to 100 of each kind; once unless given. */
  readonly faults?: Partial<Faults>
  /** Play this one only, as a failure printed it. */
  readonly schedule?: string
  /** Whether it is a failure that no turn is completed in any run: true unless given. */
  readonly wantsCompleted?: boolean
}

/** A law was broken. Its message is the story of the run. */
export class ExplorationFailed extends Error {
  override readonly name = "ExplorationFailed"
  /** The law: a rule of logs, one that begins with `explore.`, or `judge` for the world's own. */
  readonly rule: string
  /** Schedules that were tried, this one included. */
  readonly runs: number
  readonly schedule: string
  /** What happened, a line each, up to the law that was broken. */
  readonly story: string

  constructor({
    rule,
    runs,
    schedule,
    story,
    message,
  }: Pick<ExplorationFailed, "rule" | "runs" | "schedule" | "story" | "message">) {
    super(message)
    this.rule = rule
    this.runs = runs
    this.schedule = schedule
    this.story = story
  }
}

/**
 * Explore, and give what was lived through: a test can ask whether that was what it is about.
 *
 * Errors: rejects with `ExplorationFailed` when a law is broken, a `RangeError` when nothing could be explored.
 * @example docs/examples/39-explore.test.ts
 */
export const check = async (options: Options): Promise<Summary> => {
  const { failure, summary } = await run(options)
  if (failure !== undefined) throw failure
  return summary
}

/** Explore, and give what broke. */
export const explore = async (options: Options): Promise<ExplorationFailed | undefined> =>
  (await run(options)).failure

interface Ran {
  readonly failure: ExplorationFailed | undefined
  readonly summary: Summary
}

const run = async (options: Options): Promise<Ran> => {
  const { world, runs = 200, seed = 1 } = options
  const faults: Faults = { crashes: 1, storeFailures: 1, cuts: 1, ...options.faults }
  demand(options.stimuli.length, "stimuli", 1, 100)
  demand(runs, "runs", 1, 10_000_000)
  demand(seed, "seed", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  for (const kind of Struct.keys(faults)) demand(faults[kind], `faults.${kind}`, 0, 100)
  const game: Game = { world, faults }
  const stimuli = options.stimuli.map((draft, at) => draft(`m${at + 1}`))
  const isEnough = (all: Summary) => all.turns.completed > 0 || options.wantsCompleted === false
  if (options.schedule !== undefined) {
    const ran = await repeat(game, stimuli, options.schedule)
    const isUndisturbed = options.schedule.trim() === "" && ran.failure === undefined
    return isUndisturbed && !isEnough(ran.summary) ? idle(game, stimuli, ran.summary) : ran
  }
  const { found, summary } = await search(game, stimuli, { runs, seed, order: "explore" })
  if (found !== undefined) {
    const short = await shrink(game, { ...found, stimuli })
    return {
      failure: await tell(game, stimuli, short, found.run, `found in run ${found.run} of seed ${seed}`),
      summary,
    }
  }
  return isEnough(summary) ? { failure: undefined, summary } : idle(game, stimuli, summary)
}

const demand = (value: number, name: string, least: number, most: number): void => {
  if (Number.isInteger(value) && value >= least && value <= most) return
  const is = name === "stimuli" ? `are ${value}` : `is ${value}`
  throw new RangeError(`${name} ${is}, and must be a whole number from ${least} to ${most}`)
}

/** Whoever never sees a turn complete has tested little: tell how they end when nothing is in the way. */
const idle = async (game: Game, stimuli: ReadonlyArray<Said>, summary: Summary): Promise<Ran> => {
  const { runs, turns } = summary
  const ends = Object.entries(turns).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
  const message = [
    `no turn was completed in ${runs} ${runs === 1 ? "run" : "runs"} (${ends.join(", ") || "none ended"})`,
    "mend the world, or say wantsCompleted: false when that is meant",
  ].join(": ")
  const first = { stimuli, schedule: [], violation: { rule: "explore.completed", message } }
  const failure = await tell(game, stimuli, first, runs, "this is the run in which nothing comes in between")
  return { failure, summary }
}

const repeat = async (game: Game, all: ReadonlyArray<Said>, text: string): Promise<Ran> => {
  const { without, schedule } = Choices.fromText(text)
  const stimuli = all.filter((_, at) => !without.includes(at + 1))
  const { violation, summary } = await play(game, stimuli, Choices.follow(schedule))
  const failure = violation && (await tell(game, all, { stimuli, schedule, violation }, 1, "repeated"))
  return { failure, summary }
}

const tell = async (
  game: Game,
  all: ReadonlyArray<Said>,
  { stimuli, schedule, violation: { rule, message: wrong } }: Failing,
  runs: number,
  how: string,
): Promise<ExplorationFailed> => {
  const lines: Array<string> = []
  await play(game, stimuli, Choices.follow(schedule), into(lines))
  const without = all.flatMap((one, at) => (stimuli.includes(one) ? [] : [at + 1]))
  const text = Choices.toText(schedule, without)
  const story = [...lines, `${rule}: ${wrong}`].join("\n")
  const head = `${rule}: ${wrong}`
  const message = [head, story, `${how}; reproduce with schedule: "${text}"`].join("\n\n")
  return new ExplorationFailed({ rule, runs, schedule: text, story, message })
}
