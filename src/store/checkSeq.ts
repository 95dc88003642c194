/**
 * Refuse a batch whose events are not the next ones.
 *
 * In:  events, and the seq that is due.      Out: the conflict at the first event that is out of line, if there is one.
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import { SeqConflict } from "./StoreError.ts"

export const checkSeq = (events: ReadonlyArray<SessionEvent>, due: number): SeqConflict | undefined => {
  for (const [index, { seq }] of events.entries()) {
    const expected = due + index
    if (seq === expected) continue
    return new SeqConflict({ expected, got: seq, message: `seq ${seq} comes where ${expected} is due` })
  }
  return undefined
}
