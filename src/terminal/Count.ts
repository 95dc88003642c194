/**
 * Tell a person who waits how far a long log has been gone through.
 *
 * In:  events, and what is done with them.      Out: the same events, one by one; a line on stderr that is written over.
 * Nothing is told of short logs, and nothing where stderr is no terminal.
 */
import { writeNote } from "./Streams.ts"

/** Units: events. */
const step = 10_000

export const counted = function* <A>(items: ReadonlyArray<A>, verb: string): Generator<A> {
  const isTold = process.stderr.isTTY === true && items.length > step
  for (const [at, item] of items.entries()) {
    if (isTold && at % step === 0) writeNote(`\r${verb} ${at} of ${items.length} events`)
    yield item
  }
  if (isTold) writeNote("\r\u001b[K")
}
