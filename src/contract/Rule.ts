/**
 * What a rule over a log is: one pure fold that ends in silence or in violations.
 *
 * In:  an id, a sentence, the types it looks at, an initial state and a step.
 * Out: `Rule`, whose `fold` hides the state's type; `make` over events, `over` over an extension's own, `live` over all else.
 * Fails with: a TypeError, thrown for a rule that would check nothing; and by a step that gives no outcome.
 * Not here: the always-on rules (`AlwaysOn.ts`), all others (`invariant/`), many rules at once (`Course.ts`).
 */
import { Result, type Schema } from "effect"
import * as EventType from "../event/EventType.ts"
import { deepFreeze } from "../event/Frozen.ts"
import type { CoreEvent, CoreType, ExtensionEvent, SessionEvent } from "../event/SessionEvent.ts"
import { isCoreType, payloads } from "../event/SessionEvent.ts"
import { nearest } from "../text/Nearest.ts"
import type { Place } from "./Place.ts"

/** A: always on, at append and at load. D: with `DevInvariants` and offline. O: offline only. */
export type Mode = "A" | "D" | "O"

/** A fold in progress. Stepping never changes it, so a batch that is refused leaves nothing behind. */
export interface Fold<In> {
  /** What the latest input broke, one line a violation; usually nothing. */
  readonly broken: ReadonlyArray<string>
  /** Take the next input, found at `place`; gives itself when there is nothing to remember. */
  readonly step: (input: In, place: Place) => Fold<In>
}

export interface Rule<In = SessionEvent> {
  /** `group.name`, stable. */
  readonly id: string
  /** What holds in every lawful log, in one sentence. */
  readonly statement: string
  readonly mode: Mode
  /** `log`: a stored log is enough. `live`: it needs the running process. */
  readonly sees: "log" | "live"
  /** What to do about a violation. */
  readonly hint: string
  /** The types of events that it looks at; all of them when absent. */
  readonly on?: ReadonlySet<string>
  readonly fold: Fold<In>
}

/** The outcome of one step that breaks the rule: the new state with what was broken. Errors: throws without a line. */
export class Broken<S> {
  readonly state: S
  /** One line a violation, one at least. */
  readonly messages: ReadonlyArray<string>
  constructor(state: S, messages: ReadonlyArray<string>) {
    if (!Array.isArray(messages) || messages.length === 0)
      throw new TypeError("Rule.Broken wants what was broken: a list of lines, one at least")
    this.state = state
    this.messages = messages
  }
}

/** The events of some types. */
export type EventOf<T extends SessionEvent["type"]> = T extends CoreType
  ? Extract<CoreEvent, { readonly type: T }>
  : ExtensionEvent

interface About {
  /** `group.name`; one's own rules take a group of their own, such as the vendor of an extension. */
  readonly id: string
  readonly statement: string
  /** What to do about a violation. */
  readonly hint: string
}

/**
 * Make a rule over events. `step` must not change the state it is given; `place` is where the log was before the event.
 *
 * Errors: throws when the id has not the form group.name, or `on` is empty or names a type that the core has not.
 */
export const make = <S, T extends SessionEvent["type"] = SessionEvent["type"]>(
  definition: About & {
    /** D unless given. */
    readonly mode?: Mode
    /** The types of events that `step` is told; all of them when absent. */
    readonly on?: ReadonlyArray<T>
    readonly initial: S
    readonly step: (state: S, event: EventOf<T>, place: Place) => S | Broken<S>
  },
): Rule => {
  const { id, statement, mode = "D", hint, initial, step } = definition
  checkId(id)
  if (definition.on !== undefined) checkTypes(id, definition.on)
  const on: ReadonlySet<string> | undefined = definition.on && new Set(definition.on)
  const isOf = (event: SessionEvent): event is SessionEvent & EventOf<T> =>
    on === undefined || on.has(event.type)
  const fold = new Running<S, SessionEvent>(initial, (state, event, place) =>
    isOf(event) ? step(state, event, place) : state,
  )
  return { id, statement, mode, sees: "log", hint, ...(on !== undefined && { on }), fold }
}

/**
 * Make a rule over the events of one extension type, decoded; one that cannot be decoded breaks the rule. The value is frozen
 * to the last (Maps and Sets read-only, typed arrays copied): a state that holds on to it stays good.
 */
export const over = <S, A, I extends Schema.Json>(
  type: EventType.EventType<A, I>,
  definition: About & {
    readonly initial: S
    readonly step: (state: S, value: A, place: Place, event: ExtensionEvent) => S | Broken<S>
  },
): Rule =>
  make<S, ExtensionEvent["type"]>({
    ...definition,
    on: [type.name],
    step: (state, event, place) => {
      const decoded = EventType.decode(type, event)
      if (Result.isFailure(decoded)) return new Broken(state, [decoded.failure])
      // In an object, so that bytes that are the whole value are copied too.
      const { value } = deepFreeze({ value: decoded.success })
      return definition.step(state, value, place, event)
    },
  })

/** Make a rule over what a running process does. Errors: throws when the id has not the form group.name. */
export const live = <S, In>(
  definition: About & {
    readonly initial: S
    readonly step: (state: S, input: In) => S | Broken<S>
  },
): Rule<In> => {
  const { id, statement, hint, initial, step } = definition
  checkId(id)
  return { id, statement, mode: "D", sees: "live", hint, fold: new Running<S, In>(initial, step) }
}

/** Tell whether a text can be the id of a rule: picking goes by groups. */
export const isId = (id: string): boolean => /^[^.\s]+(\.[^.\s]+)+$/.test(id)

/** Errors: throws when the id has not the form group.name. */
export const checkId = (id: string): void => {
  if (!isId(id)) throw new TypeError(`the id ${JSON.stringify(id)} of a rule has not the form group.name`)
}

/** A rule that is told nothing holds every log. What has a colon is an extension's, of which there are others than we know. */
const checkTypes = (id: string, types: ReadonlyArray<string>): void => {
  if (types.length === 0) throw new TypeError(`rule ${id} looks at no type; without \`on\` it looks at all`)
  const unknown = types.find((type) => !isCoreType(type) && !type.includes(":"))
  if (unknown === undefined) return
  const near = nearest(unknown, Object.keys(payloads)).map((type) => JSON.stringify(type))
  const meant = near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`
  throw new TypeError(
    `rule ${id} looks at ${JSON.stringify(unknown)}, which is no type of event, and none of an extension (vendor:name)${meant}`,
  )
}

const none: ReadonlyArray<string> = []

class Running<S, In> implements Fold<In> {
  readonly broken: ReadonlyArray<string>
  readonly #state: S
  readonly #judge: (state: S, input: In, place: Place) => S | Broken<S>

  constructor(
    state: S,
    judge: (state: S, input: In, place: Place) => S | Broken<S>,
    broken: ReadonlyArray<string> = none,
  ) {
    this.#state = state
    this.#judge = judge
    this.broken = broken
  }

  step(input: In, place: Place): Running<S, In> {
    const result = this.#judge(this.#state, input, place)
    if (result instanceof Broken) return new Running(result.state, this.#judge, result.messages)
    if (result === this.#state && this.broken === none) return this
    if (result instanceof Promise) return refuse(result)
    return new Running(result, this.#judge)
  }
}

/** Whatever comes of it, nobody waits: also a rejection is left without a word. */
const refuse = (promise: Promise<unknown>): never => {
  promise.catch(() => undefined)
  throw new TypeError("its step gives a promise, and nobody waits for one: a step is no async function")
}
