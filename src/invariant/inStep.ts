/**
 * Make rules about what stands inside one step, and rules that remember nothing.
 *
 * In:  what to judge, and the types to be told.      Out: `inStep`, which begins anew with every step; `stateless`.
 * Not here: where a log stands (`contract/Place.ts`).
 */
import * as Place from "../contract/Place.ts"
import { Broken, type EventOf, make, type Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"

interface Own<S> {
  readonly value: S
  /** The step that it is of: `stepsEntered` of its place. */
  readonly step: number
}

/** `judge` is told an event of the open step and the place of it. */
export const inStep = <S, T extends Place.InStep["type"]>(definition: {
  readonly id: string
  readonly statement: string
  readonly hint: string
  readonly on: ReadonlyArray<T>
  readonly initial: S
  readonly judge: (own: S, event: EventOf<T>, place: Place.Place) => S | Broken<S>
  /** What a crash makes of it. */
  readonly resumed?: (own: S) => S
}): Rule => {
  const { id, statement, hint, on, initial, judge, resumed } = definition
  const told: ReadonlySet<string> = new Set(on)
  const isTold = (event: Place.InStep): event is Place.InStep & EventOf<T> => told.has(event.type)
  const ownOf = (own: Own<S>, place: Place.Place): S =>
    own.step === place.stepsEntered ? own.value : initial
  const keep = (before: Own<S>, value: S, place: Place.Place): Own<S> =>
    value === before.value && before.step === place.stepsEntered
      ? before
      : { value, step: place.stepsEntered }
  return make<Own<S>, T | "session/resume">({
    id,
    statement,
    hint,
    on: resumed === undefined ? on : [...on, "session/resume"],
    initial: { value: initial, step: 0 },
    step: (before, event, found) => {
      if (event.type === "session/resume")
        return resumed === undefined ? before : keep(before, resumed(ownOf(before, found)), found)
      // A step whose start is missing is entered by what stands in it.
      const place = found.step === 0 ? Place.next(found, event) : found
      if (!Place.isHere(event, place) || !isTold(event)) return before
      const judged = judge(ownOf(before, place), event, place)
      if (!(judged instanceof Broken)) return keep(before, judged, place)
      return new Broken(keep(before, judged.state, place), judged.messages)
    },
  })
}

/** Make a rule that remembers nothing: say what is wrong, or nothing. */
export const stateless = <T extends SessionEvent["type"]>(definition: {
  readonly id: string
  readonly statement: string
  readonly hint: string
  readonly on: ReadonlyArray<T>
  readonly judge: (event: EventOf<T>, place: Place.Place) => string | undefined
}): Rule => {
  const { judge, ...about } = definition
  return make<undefined, T>({
    ...about,
    initial: undefined,
    step: (_, event, place) => {
      const wrong = judge(event, place)
      return wrong === undefined ? undefined : new Broken(undefined, [wrong])
    },
  })
}
