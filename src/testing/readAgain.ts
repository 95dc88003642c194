/**
 * Hold a stored log against what a test has lived through, and tell what differs as a person would read it.
 *
 * In:  what the observer heard, the log, and the rules that it breaks.
 * Out: a text with the events around the first fault, or nothing.
 * Not here: the rules (`invariant/Verifier.ts`), digests and messages made again (`replay/Replay.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogViolation } from "../invariant/Verifier.ts"
import { replay } from "../replay/Replay.ts"
import { deriveMessages } from "../session/History.ts"
import type { Lived } from "./witness.ts"

interface Fault {
  readonly seq: number
  readonly message: string
}

export const readAgain = (
  id: string,
  lived: Lived,
  stored: ReadonlyArray<SessionEvent>,
  violations: ReadonlyArray<LogViolation>,
): string | undefined => {
  const faults = [
    ...storeFaults(lived, stored),
    ...violations.map(({ rule, seq, message, hint }) => ({
      seq,
      message: `${rule}: ${message}${hint === undefined ? "" : `. ${hint}`}`,
    })),
    ...replay(stored).differences.map(({ seq, what, message }) => ({ seq, message: `${what}: ${message}` })),
    ...requestFaults(lived, stored),
  ].sort((left, right) => left.seq - right.seq)
  const [first] = faults
  if (first === undefined) return undefined
  const told = faults.slice(0, shown).map(({ seq, message }) => `  seq ${seq}  ${message}`)
  const more = faults.length > shown ? [`  and ${faults.length - shown} more`] : []
  return [`${id} does not read as it was lived:`, ...told, ...more, ...around(stored, first.seq)].join("\n")
}

/** Units: faults that are told of one session. */
const shown = 5

/** What is stored is the beginning of what was appended, up to what was told at least. */
const storeFaults = (
  { events, toldSeq }: Lived,
  stored: ReadonlyArray<SessionEvent>,
): ReadonlyArray<Fault> => {
  const at = stored.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(events[index]))
  if (at >= 0)
    return [{ seq: at, message: `stored as ${brief(stored[at])}, appended as ${brief(events[at])}` }]
  return stored.length > toldSeq
    ? []
    : [{ seq: stored.length, message: `the log ends before it, though seq ${toldSeq} was told as stored` }]
}

/** What a model was sent is what the log derives for that moment. */
const requestFaults = ({ requests }: Lived, stored: ReadonlyArray<SessionEvent>): ReadonlyArray<Fault> =>
  requests.flatMap(({ messages, size }) =>
    stored.length < size || JSON.stringify(deriveMessages(stored.slice(0, size))) === JSON.stringify(messages)
      ? []
      : [{ seq: size - 1, message: "the model was sent another history than the log derives" }],
  )

/** The events before and after a place, with a mark at it. */
const around = (stored: ReadonlyArray<SessionEvent>, seq: number): ReadonlyArray<string> =>
  stored
    .slice(Math.max(0, seq - 2), seq + 3)
    .map((event) => `${event.seq === seq ? "  > " : "    "}${brief(event)}`)

/** Units: UTF-16 code units of an event that are shown. */
const width = 120

const brief = (event: SessionEvent | undefined): string => {
  if (event === undefined) return "nothing"
  const text = `${event.seq} ${event.type} ${JSON.stringify(event.data)}`
  return text.length <= width ? text : `${text.slice(0, width)}…`
}
