/**
 * Keep calls that would disturb each other in the order in which the model asked for them.
 *
 * In:  the calls of one answer, as they take their places; what each will read and write, once it is known.
 * Out: for each call, a wait until nobody before it is in its way.
 * Fails with: nothing; but a call that conflicts with a body that nobody waits for any more dies of `Busy`, and its
 * caller makes a result of that. An interrupted wait takes nothing with it.
 * Order: a call waits for earlier ones only, and before it holds a slot; so nobody waits in a circle.
 * Not here: what conflicts (`policy/Resources`), how many run at once (`Calls.ts`).
 */
import { Deferred, Effect } from "effect"
import type { ToolCall } from "../message/ToolCall.ts"
import { conflict, none, type Resources } from "../policy/Resources.ts"
import type { Stragglers } from "./Stragglers.ts"

/** The place of one call among the calls of its answer. */
export interface Turnstile {
  /** Say what the call will touch; until then every later call waits. */
  readonly plan: (resources: Resources) => void
  /** Wait if need be, then run; to be called once the call itself has said what it touches. */
  readonly pass: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The call is over, or will never run: it is in nobody's way any more. */
  readonly leave: () => void
  /** The call is about to be over, but its body goes on until then, in the way of all that conflict with it. */
  readonly linger: (until: Promise<unknown>) => void
}

/** Carries out of the runner that the body of this earlier call may still run. */
export class Busy {
  readonly by: ToolCall
  constructor(by: ToolCall) {
    this.by = by
  }
}

/** Let the calls of one answer take their places, in the order of the calls. */
export const makeLine = (stragglers: Stragglers): ((call: ToolCall) => Turnstile) => {
  const places: Array<Place> = []
  return (call) => {
    const place = new Place(call, places, stragglers)
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
  private readonly call: ToolCall
  private readonly line: ReadonlyArray<Place>
  private readonly stragglers: Stragglers

  constructor(call: ToolCall, line: ReadonlyArray<Place>, stragglers: Stragglers) {
    this.call = call
    this.line = line
    this.stragglers = stragglers
  }

  plan(resources: Resources): void {
    this.resources = resources
    this.move()
  }

  /** Nobody gets into the way later on, so one look now is enough. */
  pass<A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.inTheWay() === undefined
      ? this.enter(run)
      : Effect.andThen(
          this.wait(),
          Effect.suspend(() => this.enter(run)),
        )
  }

  private enter<A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const by = this.stragglers.inTheWayOf(this.resources ?? none)
    return by === undefined ? run : Effect.die(new Busy(by))
  }

  leave(): void {
    this.hasLeft = true
    this.move()
  }

  linger(until: Promise<unknown>): void {
    this.stragglers.add(this.call, this.resources ?? none, until)
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
