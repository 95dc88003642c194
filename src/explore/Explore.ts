/**
 * Let an agent live through many orders of events, crashes and failures, and see whether it ever breaks.
 *
 * In:  a world made anew for each run, and what is said to its agent.      Out: nothing when all is well.
 * Fails with: `ExplorationFailed`, a story of the shortest run that was found, with the schedule that repeats it.
 * Order: everything runs in memory under a virtual clock, and the same seed does the same. A body that waits for a real
 * timer or a real server is outside of that: it is waited for, and a run with it cannot be repeated to the letter.
 * Not here: single turns (`ScriptedModel`), logs at rest (`invariant/Verifier`).
 * Source: PROTOCOL "Exploring schedules".
 */
import * as Choices from "./choices.ts"
import type { Faults, World } from "./course.ts"
import { type Game, play } from "./play.ts"
import { search } from "./search.ts"
import { type Failing, shrink } from "./shrink.ts"
import { into, type Stimulus as Said } from "./story.ts"

export type { End, Faults, Violation, World } from "./course.ts"

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

export interface Options {
  /** Called for each run. */
  readonly world: () => World
  /** In the order in which they begin; when, a schedule chooses. */
  readonly stimuli: ReadonlyArray<Stimulus>
  /** Schedules to try; 200 unless given. */
  readonly runs?: number
  /** 1 unless given. */
  readonly seed?: number
  /** How often there may be trouble in one run; once of each kind unless given. */
  readonly faults?: Partial<Faults>
  /** Play this one only, as a failure printed it. */
  readonly schedule?: string
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

/** Explore, and reject with the story of what broke: `it("…", () => Explore.check({ … }))`. */
export const check = async (options: Options): Promise<void> => {
  const failure = await explore(options)
  if (failure !== undefined) throw failure
}

/** Explore, and give what broke. */
export const explore = async (options: Options): Promise<ExplorationFailed | undefined> => {
  const { world, faults, runs = 200, seed = 1 } = options
  const game: Game = { world, faults: { crashes: 1, storeFailures: 1, cuts: 1, ...faults } }
  const stimuli = options.stimuli.map((draft, at) => draft(`m${at + 1}`))
  if (options.schedule !== undefined) return repeat(game, stimuli, options.schedule)
  const found = await search(game, stimuli, { runs, seed, order: "explore" })
  if (found === undefined) return undefined
  const short = await shrink(game, { ...found, stimuli })
  return tell(game, stimuli, short, found.run, `found in run ${found.run} of seed ${seed}`)
}

const repeat = async (
  game: Game,
  all: ReadonlyArray<Said>,
  text: string,
): Promise<ExplorationFailed | undefined> => {
  const { without, schedule } = Choices.fromText(text)
  const stimuli = all.filter((_, at) => !without.includes(at + 1))
  const { violation } = await play(game, stimuli, Choices.follow(schedule))
  return violation && tell(game, all, { stimuli, schedule, violation }, 1, "repeated")
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
