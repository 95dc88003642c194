/**
 * Keep calls that would disturb each other in the order in which the model asked for them.
 *
 * In:  the calls of one answer, as they take their places; what each will read and write, once it is known.
 * Out: for each call, a wait until nobody before it is in its way.
 * Fails with: nothing. An interrupted wait takes nothing with it.
 * Order: a call waits for earlier ones only, and before it holds a slot; so nobody waits in a circle.
 * Not here: what conflicts (`policy/Resources`), how many run at once (`Calls.ts`).
 */
import { Deferred, Effect } from "effect"
import { conflict, type Resources } from "../policy/Resources.ts"

/** The place of one call among the calls of its answer. */
export interface Turnstile {
  /** Say what the call will touch; until then every later call waits. */
  readonly plan: (resources: Resources) => void
  /** Wait, then run. */
  readonly pass: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The call is over, or will never run: it is in nobody's way any more. */
  readonly leave: () => void
}

interface Place {
  resources: Resources | undefined
  hasLeft: boolean
  /** Completed when this place may be in the way of nobody any more, or of fewer. */
  moved: Deferred.Deferred<void> | undefined
}

/** Let the calls of one answer take their places, in the order of the calls. */
export const makeLine = (): (() => Turnstile) => {
  const places: Array<Place> = []
  return () => {
    const own: Place = { resources: undefined, hasLeft: false, moved: undefined }
    const before = places.length
    places.push(own)
    const inTheWay = (): Place | undefined => {
      for (const place of places) {
        if (place === own) return undefined
        if (isInTheWay(place, own)) return place
      }
      return undefined
    }
    const wait: Effect.Effect<void> = Effect.suspend(() => {
      const place = inTheWay()
      if (place === undefined) return Effect.void
      place.moved ??= Deferred.makeUnsafe()
      return Effect.andThen(Deferred.await(place.moved), wait)
    })
    return {
      plan: (resources) => {
        own.resources = resources
        move(own)
      },
      pass: (run) =>
        before === 0
          ? run
          : Effect.suspend(() => (inTheWay() === undefined ? run : Effect.andThen(wait, run))),
      leave: () => {
        own.hasLeft = true
        move(own)
      },
    }
  }
}

const isInTheWay = (earlier: Place, own: Place): boolean => {
  if (earlier.hasLeft) return false
  return (
    earlier.resources === undefined ||
    own.resources === undefined ||
    conflict(earlier.resources, own.resources)
  )
}

const move = (place: Place): void => {
  const { moved } = place
  place.moved = undefined
  if (moved !== undefined) Deferred.doneUnsafe(moved, Effect.void)
}
