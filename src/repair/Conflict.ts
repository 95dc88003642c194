/**
 * Rows that stood in a log twice and not the same, as a person is told of them.
 *
 * In:  the rows that differ from earlier ones, and what was chosen.      Out: `Conflict`, as data and in words.
 * Not here: finding them (`store/Salvage.ts`), choosing (`choose.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Rival } from "../store/Salvage.ts"
import type { Place } from "../store/SessionStore.ts"
import type { Choice } from "./choose.ts"

/** Somebody is to look at it, and most of all where nothing is proved. */
export interface Conflict {
  readonly seqs: ReadonlyArray<number>
  readonly kept: Place
  readonly leftOut: Place
  /** What proves that the right one is kept; missing where nothing does, and the first one is. */
  readonly proof?: string
}

/** Seqs from `from` up to and without `below`. */
interface Range {
  readonly from: number
  readonly below: number
}

/** Those of the events in a range. */
export const within = (
  { from, below }: Range,
  rivals: ReadonlyArray<Rival>,
  { taken, proofs }: Choice,
): ReadonlyArray<Conflict> =>
  rivals.flatMap((rival) => {
    const seqs = rival.seqs.filter((seq) => seq >= from && seq < below)
    if (seqs.length === 0) return []
    const [here, first] = [placeOf(rival), placeOf(rival.first)]
    const [kept, leftOut] = taken.includes(rival) ? [here, first] : [first, here]
    const proof = proofs.get(rival)
    return [{ seqs, kept, leftOut, ...(proof !== undefined && { proof }) }]
  })

/** The events that stand in place of the first ones. */
export const insteadOf = ({ taken }: Choice): ReadonlyMap<number, SessionEvent> =>
  new Map(taken.flatMap(({ events }) => [...events]))

const placeOf = ({ line, byteOffset }: Place): Place => ({ line, byteOffset })

export const isProved = ({ proof }: Conflict): boolean => proof !== undefined

/** What of the old log is not in the new one. */
export const toLeftOut = ({ seqs, kept, leftOut }: Conflict) => ({
  what: `seq ${seqs.join(", ")} of line ${leftOut.line}, byte ${leftOut.byteOffset}`,
  reason: `two different rows of seq ${seqs.join(", ")}: the one of line ${kept.line} is kept`,
})

/** The same of rows in a part of the log that is left out whole, or is had from elsewhere. */
export const toNeither = ({ seqs, kept, leftOut }: Conflict) => ({
  what: `seq ${seqs.join(", ")} of line ${leftOut.line}, byte ${leftOut.byteOffset}`,
  reason: `two different rows of seq ${seqs.join(", ")}: this one and that of line ${kept.line}, and neither is kept`,
})

/** One line. */
export const toText = ({ seqs, kept, leftOut, proof }: Conflict): string => {
  const why = proof ?? "nothing in the log tells which is right, so the first is kept"
  return `seq ${seqs.join(", ")} stood twice with different content: line ${kept.line} kept, line ${leftOut.line} left out; ${why}`
}
