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
  /** Wait if need be, then run; to be called once the call itself has said what it touches. */
  readonly pass: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The call is over, or will never run: it is in nobody's way any more. */
  readonly leave: () => void
}

/** Let the calls of one answer take their places, in the order of the calls. */
export const makeLine = (): (() => Turnstile) => {
  const places: Array<Place> = []
  return () => {
    const place = new Place(places)
    places.push(place)
    return place
  }
}

// A class, because every call makes one, and closures cost more than methods.
class Place implements Turnstile {
  private resources: Resources | undefined
  private hasLeft = false
  /** Completed when this place may be in the way of nobody any more, or of fewer. */
  private moved: Deferred.Deferred<void> | undefined
  private readonly line: ReadonlyArray<Place>

  constructor(line: ReadonlyArray<Place>) {
    this.line = line
  }

  plan(resources: Resources): void {
    this.resources = resources
    this.move()
  }

  /** Nobody gets into the way later on, so one look now is enough. */
  pass<A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.inTheWay() === undefined ? run : Effect.andThen(this.wait(), run)
  }

  leave(): void {
    this.hasLeft = true
    this.move()
  }

  private wait(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const place = this.inTheWay()
      if (place === undefined) return Effect.void
      place.moved ??= Deferred.makeUnsafe()
      return Effect.andThen(Deferred.await(place.moved), this.wait())
    })
  }

  /** The first before this one that it has to wait for. */
  private inTheWay(): Place | undefined {
    for (const place of this.line) {
      if (place === this) return undefined
      if (place.blocks(this)) return place
    }
    return undefined
  }

  private blocks(later: Place): boolean {
    if (this.hasLeft) return false
    return (
      this.resources === undefined ||
      later.resources === undefined ||
      conflict(this.resources, later.resources)
    )
  }

  private move(): void {
    const { moved } = this
    this.moved = undefined
    if (moved !== undefined) Deferred.doneUnsafe(moved, Effect.void)
  }
}
