/**
 * Try schedules until one breaks something: first those with one delay, then with two; in between, those that hold a
 * body up in its middle, and drawn ones.
 *
 * In:  a game, stimuli, a seed.      Out: what was lived through, and the first that failed.
 * Order: the first is always the one without any choice: first in, first out. The same seed tries the same.
 * Not here: making a failing one short (`shrink.ts`).
 * Source: delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011): few delays are enough for most races.
 */
import * as Choices from "./choices.ts"
import * as Course from "./course.ts"
import { type Game, play } from "./play.ts"
import * as Random from "./random.ts"
import type { Stimulus } from "./story.ts"

export interface Search {
  readonly runs: number
  readonly seed: number
  /**
   * `delays` keeps to those with one delay, then two. `plain` is there to compare with: every order as probable as any
   * other.
   */
  readonly order: "explore" | "delays" | "plain"
}

export interface Found {
  /** Counted from 1. */
  readonly run: number
  readonly violation: Course.Violation
  readonly schedule: Choices.Schedule
}

export interface Searched {
  readonly found: Found | undefined
  readonly summary: Course.Summary
}

export const search = async (
  game: Game,
  stimuli: ReadonlyArray<Stimulus>,
  { runs, seed, order }: Search,
): Promise<Searched> => {
  let all = Course.nothing
  const delays = makeDelays(Random.make(seed))
  for (let run = 1; run <= runs; run++) {
    const random = Random.make(Random.nth(seed, run))
    const isFirst = run === 1
    const isOrderly = order === "delays" || (order === "explore" && run % 2 === 0)
    const chosen = isFirst ? [] : isOrderly ? delays.next(run % holdsEach === 0) : undefined
    const draw = order === "plain" ? Choices.plain : Choices.drawn
    const source = chosen === undefined ? draw(random) : Choices.follow(chosen)
    const { taken, violation, summary } = await play(game, stimuli, source)
    all = Course.add(all, summary)
    if (violation !== undefined)
      return { found: { run, violation, schedule: Choices.scheduleOf(taken) }, summary: all }
    if (chosen !== undefined) delays.grow(chosen, taken)
  }
  return { found: undefined, summary: all }
}

/** A schedule that was tried, and what there was to choose after its last delay. */
interface Tried {
  readonly schedule: Choices.Schedule
  readonly taken: ReadonlyArray<Choices.Taken>
}

/** So many runs to one that holds up a body, while there are some that were not tried. */
const holdsEach = 4

/** Of a choice with many ways, such as how much a crash loses, the first few stand for all. */
const widest = 6
const mostDelays = 2

/** Go breadth first through all schedules with at most two delays, in a drawn order. */
const makeDelays = (random: Random.Random) => {
  const single: Array<Choices.Schedule> = []
  const holds: Array<Choices.Schedule> = []
  const parents: Array<Tried> = []
  const seen = new Set<string>()

  /** Too many to be listed: draw one, and another when that was tried. */
  const pair = (): Choices.Schedule | undefined => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const parent = parents[random.below(parents.length)]
      const after = parent === undefined ? [] : placesAfter(parent)
      const place = after[random.below(after.length)]
      if (parent === undefined || place === undefined) continue
      const schedule = delay(parent, place.at, place.ways[random.below(place.ways.length)] ?? 0)
      const key = Choices.toText(schedule)
      if (seen.has(key)) continue
      seen.add(key)
      return schedule
    }
    return undefined
  }

  return {
    next: (isHold: boolean): Choices.Schedule | undefined =>
      (isHold ? holds.pop() : undefined) ?? single.pop() ?? pair(),
    grow: (schedule: Choices.Schedule, taken: ReadonlyArray<Choices.Taken>): void => {
      const tried: Tried = { schedule, taken }
      const delays = schedule.filter((choice) => choice !== 0).length
      if (delays === 0) {
        const places = placesAfter(tried)
        const ofKind = (isHold: boolean) =>
          places
            .filter((place) => place.isHold === isHold)
            .flatMap(({ at, ways }) => ways.map((way) => delay(tried, at, way)))
        single.push(...Random.shuffle(random, ofKind(false)))
        holds.push(...Random.shuffle(random, ofKind(true)))
      } else if (delays < mostDelays) parents.push(tried)
    },
  }
}

interface Place {
  readonly at: number
  /** Choices but 0. */
  readonly ways: ReadonlyArray<number>
  readonly isHold: boolean
}

/** Bodies are held up after each of their operations; there are too many middles to do that to every fiber. */
const placesAfter = ({ schedule, taken }: Tried): ReadonlyArray<Place> =>
  taken.flatMap(({ kind, width, worth }, at) => {
    if (at < schedule.length) return []
    const isHold = kind === "preempt"
    const ways = isHold ? worth : Array.from({ length: Math.min(width, widest) - 1 }, (_, way) => way + 1)
    return ways.length === 0 ? [] : [{ at, ways, isHold }]
  })

const delay = ({ schedule }: Tried, at: number, choice: number): Choices.Schedule => [
  ...schedule,
  ...Array.from({ length: at - schedule.length }, () => 0),
  choice,
]
