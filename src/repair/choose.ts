/**
 * Choose between different rows of one seq, by what the rest of the log proves.
 *
 * In:  events in their order, of each seq the first; the rows with others of them; rules.      Out: `Choice`.
 * Fails with: what reading the events fails with.
 * Proof is a rule that is broken with one and not with the other, and the digest of a request that one gives and not the
 * other. A row is taken whole or not at all. Where nothing is proved, the first stays.
 * What is held: the messages of the history, and the state of each guess that is still open.
 * Not here: what is said of it (`Proposal.ts`).
 * Source: docs/adr/0008: a request is named by its config and its history.
 */
import { Effect, Stream } from "effect"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as History from "../session/History.ts"
import type { Rival } from "../store/Salvage.ts"
import { type Digester, digesterOf } from "../turn/Voice.ts"
import { beginning, type Judged, next } from "./judge.ts"

export interface Choice {
  /** The rivals that are to be kept in place of the first. */
  readonly taken: ReadonlyArray<Rival>
  /** What proves that a rival is to be kept, or that it is not. */
  readonly proofs: ReadonlyMap<Rival, string>
}

const none: Choice = { taken: [], proofs: new Map() }

/** The log as it would be with some of the rivals. */
interface Guess {
  readonly judged: Judged
  readonly history: History.History
  readonly configs: ReadonlyMap<number, Digester>
  /** Whether each rival that was met is taken. */
  readonly picks: ReadonlyMap<Rival, boolean>
  /** Whether the request that begins here is the one that the log names; undefined where none begins. */
  readonly isAsked?: boolean
}

/** Units: guesses that are followed at once. Rivals that would make more of them are not taken. */
const maxGuesses = 32

export const choose = Effect.fnUntraced(function* <E, R>(
  events: Stream.Stream<ReadonlyArray<SessionEvent>, E, R>,
  rivals: ReadonlyArray<Rival>,
  rules: ReadonlyArray<Rule>,
) {
  if (rivals.length === 0) return none
  const bySeq = indexed(rivals)
  const last = rivals.flatMap(({ seqs }) => seqs).reduce((one, other) => Math.max(one, other), 0)
  const proofs = new Map<Rival, string>()
  let isCut = false
  let guesses: ReadonlyArray<Guess> = [
    { judged: beginning(rules), history: History.initial, configs: new Map(), picks: new Map() },
  ]

  /** Go one event on; false when no later one can tell more. */
  const advance = (event: SessionEvent): boolean => {
    const here = bySeq.get(event.seq) ?? []
    const branches = branch(guesses, here)
    const isTooMuch = branches.flat().length > maxGuesses
    isCut ||= isTooMuch
    const branched = isTooMuch ? branches.flatMap((some) => some.slice(0, 1)) : branches.flat()
    const followed = branched.map((guess) => follow(guess, eventOf(guess, here, event)))
    const { left, why } = sift(followed)
    if (left.length < followed.length) prove(proofs, followed, left, why)
    guesses = left
    return guesses.some(isLawful) && (guesses.length > 1 || event.seq < last)
  }
  yield* Stream.runForEachWhile(events, (some) => Effect.sync(() => some.every(advance)))
  const [best] = guesses
  const taken = rivals.filter((rival) => best?.picks.get(rival) === true)
  // What was weighed beside rows that were not may look proved by one of those, and be wrong with it.
  return { taken, proofs: isCut ? none.proofs : proofs } satisfies Choice
})

const indexed = (rivals: ReadonlyArray<Rival>): ReadonlyMap<number, ReadonlyArray<Rival>> => {
  const bySeq = new Map<number, Array<Rival>>()
  for (const rival of rivals)
    for (const seq of rival.seqs) {
      const others = bySeq.get(seq)
      if (others === undefined) bySeq.set(seq, [rival])
      else others.push(rival)
    }
  return bySeq
}

/** For every guess: with none of the rivals that it has not met, and with each of them alone. */
const branch = (guesses: ReadonlyArray<Guess>, here: ReadonlyArray<Rival>) =>
  guesses.map((guess) => {
    if (here.length === 0) return [guess]
    const unmet = here.filter((rival) => !guess.picks.has(rival))
    const pick = (taken?: Rival): Guess => ({
      ...guess,
      picks: new Map([...guess.picks, ...unmet.map((rival) => [rival, rival === taken] as const)]),
    })
    const isTaken = here.some((rival) => guess.picks.get(rival) === true)
    return isTaken ? [pick()] : [pick(), ...unmet.map(pick)]
  })

const eventOf = ({ picks }: Guess, here: ReadonlyArray<Rival>, first: SessionEvent): SessionEvent =>
  here.find((rival) => picks.get(rival) === true)?.events.get(first.seq) ?? first

const follow = ({ judged, history: before, configs, picks }: Guess, event: SessionEvent): Guess => {
  const history = History.next(before, event)
  const guess = { judged: next(judged, event), history, configs, picks }
  if (event.type === "request/config")
    return { ...guess, configs: new Map([...configs, [event.seq, digesterOf(event.data)]]) }
  const request = event.type === "step/start" ? event.data.request : undefined
  if (request === undefined) return guess
  const digester = configs.get(request.config)
  return { ...guess, isAsked: digester?.(History.messages(history)) === request.digest }
}

const isLawful = ({ judged }: Guess): boolean => judged.fault === undefined

/** Drop what is worse than another guess. */
const sift = (
  guesses: ReadonlyArray<Guess>,
): { readonly left: ReadonlyArray<Guess>; readonly why: string } => {
  const lawful = guesses.filter(isLawful)
  const fault = guesses.find((guess) => !isLawful(guess))?.judged.fault
  const left = lawful.length === 0 ? guesses : lawful
  const asked = left.filter(({ isAsked }) => isAsked === true)
  const seq = left[0]?.judged.kept ?? 0
  if (asked.length > 0 && asked.length < left.length)
    return { left: asked, why: `the digest of the request at seq ${seq - 1} is that of this one only` }
  return { left, why: fault === undefined ? "" : `the other breaks ${fault.rule} at seq ${fault.seq}` }
}

/** The rivals of which all guesses that are left say the same, and not all before. */
const prove = (
  proofs: Map<Rival, string>,
  before: ReadonlyArray<Guess>,
  left: ReadonlyArray<Guess>,
  why: string,
): void => {
  for (const rival of left[0]?.picks.keys() ?? []) {
    const picked = (guesses: ReadonlyArray<Guess>) =>
      new Set(guesses.map(({ picks }) => picks.get(rival))).size
    if (picked(before) > 1 && picked(left) === 1) proofs.set(rival, why)
  }
}
