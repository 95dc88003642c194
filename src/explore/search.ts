/**
 * Try schedules until one breaks something: first those with one delay, then with two; in between, drawn ones.
 *
 * In:  a game, stimuli, a seed.      Out: how many were tried, and the first that failed.
 * Order: the first is always the one without any choice: first in, first out. The same seed tries the same.
 * Not here: making a failing one short (`shrink.ts`).
 * Source: delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011): few delays are enough for most races.
 */
import * as Choices from "./choices.ts"
import type { Violation } from "./course.ts"
import { type Game, play } from "./play.ts"
import * as Random from "./random.ts"
import type { Stimulus } from "./story.ts"

export interface Search {
  readonly runs: number
  readonly seed: number
  /** `plain` is there to compare with: every order as probable as any other. */
  readonly order: "explore" | "plain"
}

export interface Found {
  /** Counted from 1. */
  readonly run: number
  readonly violation: Violation
  readonly schedule: Choices.Schedule
}

export const search = async (
  game: Game,
  stimuli: ReadonlyArray<Stimulus>,
  { runs, seed, order }: Search,
): Promise<Found | undefined> => {
  const delays = makeDelays(Random.make(seed))
  for (let run = 1; run <= runs; run++) {
    const random = Random.make(Random.nth(seed, run))
    const isFirst = run === 1
    const chosen = isFirst ? [] : order === "explore" && run % 2 === 0 ? delays.next() : undefined
    const draw = order === "plain" ? Choices.plain : Choices.drawn
    const source = chosen === undefined ? draw(random) : Choices.follow(chosen)
    const { taken, violation } = await play(game, stimuli, source)
    if (violation !== undefined) return { run, violation, schedule: Choices.scheduleOf(taken) }
    if (chosen !== undefined) delays.grow(chosen, taken)
  }
  return undefined
}

/** A schedule that was tried, and what there was to choose after its last delay. */
interface Tried {
  readonly schedule: Choices.Schedule
  readonly taken: ReadonlyArray<Choices.Taken>
}

/** Of a choice with many ways, such as how much a crash loses, the first few stand for all. */
const widest = 6
const mostDelays = 2

/** Go breadth first through all schedules with at most two delays, in a drawn order. */
const makeDelays = (random: Random.Random) => {
  const single: Array<Choices.Schedule> = []
  const parents: Array<Tried> = []
  const seen = new Set<string>()

  /** Too many to be listed: draw one, and another when that was tried. */
  const pair = (): Choices.Schedule | undefined => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const parent = parents[random.below(parents.length)]
      const after = parent === undefined ? [] : placesAfter(parent)
      const place = after[random.below(after.length)]
      if (parent === undefined || place === undefined) continue
      const schedule = delay(parent, place.at, 1 + random.below(place.ways))
      const key = Choices.toText(schedule)
      if (seen.has(key)) continue
      seen.add(key)
      return schedule
    }
    return undefined
  }

  return {
    next: (): Choices.Schedule | undefined => single.pop() ?? pair(),
    grow: (schedule: Choices.Schedule, taken: ReadonlyArray<Choices.Taken>): void => {
      const tried: Tried = { schedule, taken }
      const delays = schedule.filter((choice) => choice !== 0).length
      if (delays === 0)
        single.push(
          ...Random.shuffle(
            random,
            placesAfter(tried).flatMap((place) => delaysAt(tried, place)),
          ),
        )
      else if (delays < mostDelays) parents.push(tried)
    },
  }
}

interface Place {
  readonly at: number
  /** Choices but 0. */
  readonly ways: number
}

/** Holding a fiber up in its middle is left to the drawn schedules: there are too many middles. */
const placesAfter = ({ schedule, taken }: Tried): ReadonlyArray<Place> =>
  taken.flatMap(({ kind, width }, at) =>
    at < schedule.length || kind === "preempt" ? [] : [{ at, ways: Math.min(width, widest) - 1 }],
  )

const delaysAt = (tried: Tried, { at, ways }: Place): ReadonlyArray<Choices.Schedule> =>
  Array.from({ length: ways }, (_, way) => delay(tried, at, way + 1))

const delay = ({ schedule }: Tried, at: number, choice: number): Choices.Schedule => [
  ...schedule,
  ...Array.from({ length: at - schedule.length }, () => 0),
  choice,
]
