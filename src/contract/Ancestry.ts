/**
 * Name the beginning of a log, so that a fork can prove what it was forked from.
 *
 * In:  events.      Out: the digest of a prefix; the seq of the first event in which two logs differ.
 * Not here: forking (`fork/Fork`), the rule that holds forks to it (`invariant/history.ts`).
 * Source: PROTOCOL "Rules", fork.prefix. Seq 0 is left out: it is the one event that a fork has of its own.
 */
import { Result } from "effect"
import * as JsonCopy from "../event/JsonCopy.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Digest from "../message/Digest.ts"

/** One event in the form that equal events share. */
export const lineOf = (event: SessionEvent): string => {
  const copied = JsonCopy.make(event)
  return Result.isSuccess(copied) ? `${Digest.canonical(copied.success)}\n` : ""
}

/** SHA-256 of the canonical lines of the events 1 to `seq`. */
export const digest = (events: ReadonlyArray<SessionEvent>, seq: number): string =>
  Digest.sha256(
    events
      .slice(1, seq + 1)
      .map(lineOf)
      .join(""),
  )

/** What is wrong with a fork that has so many events; undefined when all that it has of its parent may be there. */
export const brokenOff = (
  { id, seq }: { readonly id: string; readonly seq: number },
  events: number,
): string | undefined =>
  events > seq
    ? undefined
    : `it is a fork of ${id} at seq ${seq} that broke off while it was made, after ${events} events; fork again with the same id to finish it`

/**
 * What is wrong with the beginning of a log that says that it is a fork; undefined for one that is whole, and for what is
 * no fork. A fork is copied before anybody uses it, so one that is shorter was never finished.
 */
export const flawOf = (events: ReadonlyArray<SessionEvent>): string | undefined => {
  const [first] = events
  if (first?.type !== "session/start" || first.data.parent === undefined) return undefined
  const { id, seq, digest: claimed } = first.data.parent
  const short = brokenOff({ id, seq }, events.length)
  if (short !== undefined || digest(events, seq) === claimed) return short
  return `the events 1 to ${seq} are not those of ${id} that were forked`
}

/** The first seq from 1 to `seq` at which a fork is not its parent, if there is one. */
export const firstDifference = (
  parent: ReadonlyArray<SessionEvent>,
  child: ReadonlyArray<SessionEvent>,
  seq: number,
): number | undefined => {
  for (let at = 1; at <= seq; at++) {
    const [one, other] = [parent[at], child[at]]
    if (one === undefined || other === undefined || lineOf(one) !== lineOf(other)) return at
  }
  return undefined
}
