/**
 * Play one schedule: a process, and after each crash, failure or restart another one, until nothing is left to do.
 *
 * In:  a world, stimuli, a source of choices.      Out: the choices that were made, and what was wrong.
 * Fails with: nothing. What a world throws where it is made, this throws.
 */
import { Exit } from "effect"
import * as Choices from "./choices.ts"
import * as Course from "./course.ts"
import * as Judge from "./judge.ts"
import { live } from "./live.ts"
import { type Stimulus, silent, type Tell } from "./story.ts"

export interface Game {
  readonly world: () => Course.World
  readonly faults: Course.Faults
  /** Units: milliseconds of the real clock, for a body that waits for something outside while nothing else can go on. */
  readonly patienceMillis?: number
}

/** Longer than any answer of the machine that the run is on; a body that waits longer is told of. */
const patience = 1_000

export interface Played {
  readonly taken: ReadonlyArray<Choices.Taken>
  readonly violation: Course.Violation | undefined
  readonly summary: Course.Summary
}

export const play = async (
  { world, faults, patienceMillis = patience }: Game,
  stimuli: ReadonlyArray<Stimulus>,
  source: Choices.Source,
  tell: Tell = silent,
): Promise<Played> => {
  const choices = Choices.make(source)
  const course = Course.make({ world: world(), stimuli, faults, choices, tell, patienceMillis })
  const mostLives = 1 + faults.crashes + faults.storeFailures + stimuli.length
  for (let lives = 0; lives < mostLives; lives++) {
    const end = await live(course, (alive) => Judge.quiet(course, alive))
    if (course.violation !== undefined || end === "over") break
    tell.say("a new process opens the log")
    sayAgain(course)
    Judge.opened(course)
  }
  if (course.violation === undefined) Judge.over(course)
  return { taken: choices.taken, violation: course.violation, summary: Course.summary(course, faults) }
}

/** Whoever got no answer says it again; an abort meant the turn that ran, and an act is done once. */
const sayAgain = ({ said }: Course.Course): void => {
  for (const one of said) {
    if (!one.isBegun || one.exit?._tag === "Success") continue
    if ("messageId" in one.stimulus) one.isBegun = false
    else one.exit = Exit.succeed(undefined)
  }
}
