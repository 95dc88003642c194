/**
 * The events of a log in the order of their numbers, whatever the order of its rows, read piece by piece.
 *
 * In:  bytes, and which seqs.      Out: events, each seq once: the first, unless told otherwise. What stands before its place is held until that comes.
 * Fails with: what reading the bytes fails with.
 * Not here: what is missing, or stands there twice (`store/Salvage.ts`).
 */
import { Effect, Result, Stream } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as LogFile from "../store/LogFile.ts"
import * as Salvage from "../store/Salvage.ts"

/** A line that is too long to be held is one that cannot be read. */
const rowsIn = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, rows: Salvage.OpenRows) =>
  Stream.map(bytes, rows.push).pipe(Stream.concat(Stream.suspend(() => Stream.succeed(rows.end()))))

/** What stands in a log, in which version, and what does not. */
export const survey = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.suspend(() => {
    const rows = Salvage.openRows(LogFile.maxLineBytes)
    const stock = Salvage.openSurvey()
    const take = (some: Iterable<Salvage.Row>) => {
      for (const row of some) stock.take(row)
    }
    const compare = (some: Iterable<Salvage.Row>) => {
      for (const row of some) stock.compare(row)
    }
    const taken = Stream.runForEach(rowsIn(bytes, rows), (some) => Effect.sync(() => take(some)))
    const again = Stream.suspend(() => rowsIn(bytes, Salvage.openRows(LogFile.maxLineBytes)))
    const compared = Effect.suspend(() =>
      stock.hasRepeats() ? Stream.runForEach(again, (some) => Effect.sync(() => compare(some))) : Effect.void,
    )
    return Effect.map(Effect.andThen(taken, compared), () => ({ ...stock, version: rows.version() }))
  })

export type Survey = Salvage.OpenSurvey

export interface Asked {
  readonly from: number
  readonly below: number
  /** Events that are to be taken in place of the first ones of their seqs. */
  readonly instead?: ReadonlyMap<number, SessionEvent>
}

/** From `from` up to and without `below`; nothing of them may be missing. */
export const ordered = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  { from, below, instead }: Asked,
): Stream.Stream<ReadonlyArray<SessionEvent>, E, R> =>
  Stream.suspend(() => {
    const waiting = new Map<number, SessionEvent>()
    let due = from
    const put = (event: SessionEvent, into: Array<SessionEvent>): void => {
      const { seq } = event
      if (seq < due || seq >= below) return
      if (seq > due) return void (waiting.has(seq) || waiting.set(seq, event))
      into.push(event)
      due++
      for (let next = waiting.get(due); next !== undefined; next = waiting.get(due)) {
        into.push(next)
        waiting.delete(due++)
      }
    }
    return rowsIn(bytes, Salvage.openRows(LogFile.maxLineBytes)).pipe(
      Stream.map((rows) => {
        const events: Array<SessionEvent> = []
        for (const { read } of rows)
          if (Result.isSuccess(read))
            for (const event of read.success) put(instead?.get(event.seq) ?? event, events)
        return { events, isEnd: due >= below }
      }),
      Stream.takeUntil(({ isEnd }) => isEnd),
      Stream.map(({ events }) => events),
    )
  })
