/**
 * A schedule: every choice of one run, as a list of integers, where 0 is what would happen first anyway.
 *
 * In:  a source of choices.      Out: `Choices`, which asks it and remembers; schedules as short texts.
 * Fails with: a `TypeError` for a text that is no schedule.
 * Not here: what there is to choose (`machine.ts` and those around it), which schedules are tried (`search.ts`).
 * Source: PROTOCOL "Exploring schedules".
 */
import type { Random } from "./random.ts"

/**
 * `next`: which of all that may go on does · `preempt`: after how many operations a fiber is held up, 0 for never ·
 * `chunk`: the model's next piece comes, or the stream is cut · `append`: it succeeds, fails, or the process crashes ·
 * `kept`: how much of what was not safe is lost.
 */
export type Kind = "next" | "preempt" | "chunk" | "append" | "kept"

export interface Taken {
  readonly kind: Kind
  readonly width: number
  readonly choice: number
  /** For a kind with too many ways to try them all: the ways that are worth it. */
  readonly worth: ReadonlyArray<number>
}

export type Schedule = ReadonlyArray<number>

/** Gives a choice from 0 up to `width`; whatever is too large counts as the largest. */
export type Source = (kind: Kind, width: number) => number

export interface Choices {
  readonly choose: (kind: Kind, width: number) => number
  /** Note of the latest choice that this one would be worth a try as well. */
  readonly worth: (choice: number) => void
  readonly taken: ReadonlyArray<Taken>
}

export const make = (source: Source): Choices => {
  const taken: Array<Taken> = []
  let worth: Array<number> = []
  return {
    choose: (kind, width) => {
      if (width <= 1) return 0
      const choice = Math.min(source(kind, width), width - 1)
      worth = []
      taken.push({ kind, width, choice, worth })
      return choice
    },
    worth: (choice) => void worth.push(choice),
    taken,
  }
}

/** Take the choices of a list, and 0 after its end. */
export const follow = (schedule: Schedule): Source => {
  let at = 0
  return () => schedule[at++] ?? 0
}

/** How probable it is that a choice of a kind is not 0. */
type Temper = Readonly<Record<Kind, number>>

/**
 * Keep to the first in first out order but for a few choices. Each run draws how few, and which kinds of trouble there
 * are in it at all: a crash at every corner hides what happens between two corners.
 */
export const drawn = (random: Random): Source => {
  const oneOf = (...values: readonly [number, ...ReadonlyArray<number>]): number =>
    values[random.below(values.length)] ?? values[0]
  const temper: Temper = {
    next: oneOf(0.02, 0.05, 0.15, 0.4),
    preempt: oneOf(0, 0, 0.03, 0.1),
    chunk: oneOf(0, 0, 0.03),
    append: oneOf(0, 0.03, 0.1, 0.25),
    kept: 0.5,
  }
  return bent(random, temper)
}

/** The plain way, to compare with: every order is as probable as any other. */
export const plain = (random: Random): Source => {
  const trouble = bent(random, { next: 1, preempt: 0.1, chunk: 0.1, append: 0.1, kept: 0.5 })
  return (kind, width) => (kind === "next" ? random.below(width) : trouble(kind, width))
}

const bent =
  (random: Random, temper: Temper): Source =>
  (kind, width) =>
    random.next() < temper[kind] ? 1 + random.below(width - 1) : 0

/** The choices that were made, without the zeros at the end. */
export const scheduleOf = (taken: ReadonlyArray<Taken>): Schedule => trim(taken.map(({ choice }) => choice))

export const trim = (schedule: Schedule): Schedule =>
  schedule.slice(0, schedule.findLastIndex((choice) => choice !== 0) + 1)

/** Say only what is not 0: `-2 12:1 40:3` is 1 at place 12 and 3 at place 40, without the second stimulus. */
export const toText = (schedule: Schedule, without: ReadonlyArray<number> = []): string =>
  [
    ...without.map((stimulus) => `-${stimulus}`),
    ...schedule.flatMap((choice, at) => (choice === 0 ? [] : [`${at}:${choice}`])),
  ].join(" ")

export const fromText = (
  text: string,
): { readonly schedule: Schedule; readonly without: ReadonlyArray<number> } => {
  const schedule: Array<number> = []
  const without: Array<number> = []
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const [, dropped, at, choice] = /^(?:-(\d{1,6})|(\d{1,6}):(\d{1,6}))$/.exec(word) ?? []
    if (dropped !== undefined) without.push(Number(dropped))
    else if (at !== undefined) set(schedule, Number(at), Number(choice))
    else throw new TypeError(`"${text}" is no schedule: write it as it was printed, such as "12:1 40:3"`)
  }
  return { schedule, without }
}

const set = (schedule: Array<number>, at: number, choice: number): void => {
  while (schedule.length < at) schedule.push(0)
  schedule[at] = choice
}
