/**
 * Make a failing schedule short: fewer stimuli, fewer choices, an earlier end.
 *
 * In:  what fails, and by which rule.      Out: something smaller that breaks the same rule.
 * Order: what is kept was played and failed; nothing is guessed.
 * Source: delta debugging (Zeller, Hildebrandt, TSE 2002): halves first, then quarters, down to single choices.
 */
import * as Choices from "./choices.ts"
import type { Violation } from "./course.ts"
import { type Game, play } from "./play.ts"
import { search } from "./search.ts"
import type { Stimulus } from "./story.ts"

export interface Failing {
  readonly stimuli: ReadonlyArray<Stimulus>
  readonly schedule: Choices.Schedule
  readonly violation: Violation
}

/** Plays that a shrink may take for fewer choices; what is smaller after that stays unfound. */
const mostPlays = 400
/** Beside these, for each stimulus that may not be needed. */
const fewPlays = 60

/** Units: milliseconds. Whoever was waited for in vain once is not waited for as long in every play after. */
const shortPatience = 20

export const shrink = async (given: Game, failing: Failing): Promise<Failing> => {
  const isHanging = failing.violation.rule === "explore.idle"
  if (!isHanging) return shrinkIn(given, failing)
  const best = await shrinkIn({ ...given, patienceMillis: shortPatience }, failing)
  const { violation } = await play(given, best.stimuli, Choices.follow(best.schedule))
  return violation?.rule === failing.violation.rule ? best : failing
}

const shrinkIn = async (game: Game, failing: Failing): Promise<Failing> => {
  let best = failing
  let plays = 0

  const isSmaller = async (
    stimuli: ReadonlyArray<Stimulus>,
    schedule: Choices.Schedule,
  ): Promise<boolean> => {
    if (plays++ >= mostPlays) return false
    const { taken, violation } = await play(game, stimuli, Choices.follow(schedule))
    if (violation?.rule !== failing.violation.rule) return false
    best = { stimuli, schedule: Choices.trim(schedule.slice(0, taken.length)), violation }
    return true
  }

  /** The choices that follow are about other things then, so a few schedules are tried anew. */
  const dropStimuli = async (): Promise<boolean> => {
    for (const one of best.stimuli) {
      const others = best.stimuli.filter((other) => other !== one)
      if (others.length === 0) return false
      if (await isSmaller(others, best.schedule)) return true
      if (plays >= mostPlays) return false
      const { found } = await search(game, others, { runs: fewPlays, seed: 0, order: "delays" })
      if (found?.violation.rule === failing.violation.rule) {
        best = { stimuli: others, schedule: found.schedule, violation: found.violation }
        return true
      }
    }
    return false
  }

  const cutTail = async (): Promise<boolean> => {
    const { stimuli, schedule } = best
    for (let length = 0; length < schedule.length; length += 1 + ((schedule.length - length) >> 1)) {
      if (await isSmaller(stimuli, Choices.trim(schedule.slice(0, length)))) return true
    }
    return false
  }

  /** Zero many at once: half of all choices, then quarters, and so on. */
  const zeroBlocks = async (): Promise<boolean> => {
    const { stimuli, schedule } = best
    const places = schedule.flatMap((choice, at) => (choice === 0 ? [] : [at]))
    let isShorter = false
    for (let size = places.length >> 1; size > 1; size >>= 1) {
      for (let from = 0; from < places.length; from += size) {
        const block = places.slice(from, from + size).filter((at) => (best.schedule[at] ?? 0) !== 0)
        if (block.length === 0) continue
        const zeroed = best.schedule.map((choice, at) => (block.includes(at) ? 0 : choice))
        if (await isSmaller(stimuli, Choices.trim(zeroed))) isShorter = true
      }
    }
    return isShorter
  }

  /** Zero it, take it out so that what follows moves up, or make it the next best. */
  const easeChoices = async (): Promise<boolean> => {
    const { stimuli, schedule } = best
    for (const [at, choice] of schedule.entries()) {
      if (choice === 0) continue
      if (await isSmaller(stimuli, Choices.trim(schedule.with(at, 0)))) return true
      if (await isSmaller(stimuli, Choices.trim(schedule.toSpliced(at, 1)))) return true
      if (choice > 1 && (await isSmaller(stimuli, schedule.with(at, choice >> 1)))) return true
    }
    return false
  }

  while (await dropStimuli());
  while (plays < mostPlays && ((await cutTail()) || (await zeroBlocks()) || (await easeChoices())));
  return best
}
