/**
 * Hold a fork against its parent, event by event, both read piece by piece.
 *
 * In:  the file of a fork, and what its session/start says of its parent.      Out: where they first differ, if they do.
 * Fails with: nothing. Where one of the two is not there or cannot be read, nothing is known to differ.
 * Not here: the digest in the fork itself (rule fork.prefix, `invariant/history.ts`).
 */
import { Effect, Path, Result, Stream } from "effect"
import * as Ancestry from "../contract/Ancestry.ts"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { LogViolation } from "../invariant/Verifier.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import * as LogFile from "../store/LogFile.ts"
import type { Place } from "../store/SessionStore.ts"
import { fileBytes } from "./FileBytes.ts"

export const prefixRule = "fork.prefix"

export interface Difference {
  readonly violation: LogViolation
  /** Missing when the fork ends before. */
  readonly place: Place | undefined
}

export type Parent = NonNullable<Payload<"session/start">["parent"]>

export const againstParent = Effect.fnUntraced(function* (file: string, parent: Parent) {
  const path = yield* Path.Path
  const found = yield* Effect.orElseSucceed(JsonlStore.find(path.dirname(file), parent.id), () => undefined)
  if (found === undefined) return undefined
  const same = Stream.zipWith(events(file), events(found.location), (own, other) => ({
    place: own.place,
    isSame: isSame(own.event, other.event),
  })).pipe(
    Stream.drop(1),
    Stream.take(parent.seq),
    Stream.takeUntil(({ isSame }) => !isSame),
  )
  const compared = Stream.runFold(same, start, ({ seq }, { place, isSame }) =>
    isSame ? { seq: seq + 1, place: undefined } : { seq, place },
  )
  const end = yield* Effect.orElseSucceed(compared, () => undefined)
  return end === undefined || end.seq > parent.seq ? undefined : differing(end, parent)
})

const start = (): { readonly seq: number; readonly place: Place | undefined } => ({
  seq: 1,
  place: undefined,
})

const differing = ({ seq, place }: ReturnType<typeof start>, { id }: Parent): Difference => ({
  violation: { rule: prefixRule, seq, message: `it is not what its parent ${id} has there` },
  place,
})

/** A fork has the rows of its parent to the letter, unless other hands wrote them anew. */
const isSame = (own: SessionEvent, other: SessionEvent): boolean =>
  JSON.stringify(own) === JSON.stringify(other) || Ancestry.lineOf(own) === Ancestry.lineOf(other)

interface Placed {
  readonly place: Place
  readonly event: SessionEvent
}

/** The events of a file with their places; it fails at a line that cannot be read. */
const events = (file: string) =>
  Stream.suspend(() => {
    const reader = LogFile.reader()
    const pieces = Stream.mapEffect(fileBytes(file), (bytes) =>
      Effect.fromResult(placedIn(reader.push(bytes))),
    )
    return Stream.flattenIterable(pieces)
  })

const placedIn = (lines: Iterable<LogFile.Line>) => {
  const placed: Array<Placed> = []
  for (const { place, read } of lines) {
    if (Result.isFailure(read)) return Result.fail(read.failure)
    for (const event of read.success) placed.push({ place, event })
  }
  return Result.succeed(placed)
}
