/**
 * Event types that extensions bring: a name, a version, a schema, and how older versions are read.
 *
 * In:  what an extension declares.      Out: `EventType`, typed drafts and typed reads, and the `Registry` of a process.
 * Fails with: nothing at declaration; a read says in words why an event cannot be read as the type.
 * Not here: refusing unregistered types at append (`EventCodec.ts`), the core's own types (`SessionEvent.ts`).
 */
import { Context, Layer, Result, Schema } from "effect"
import type { EventDraft, ExtensionEvent, SessionEvent } from "./SessionEvent.ts"

export interface EventType<A = unknown, I extends Schema.Json = Schema.Json> {
  readonly name: ExtensionEvent["type"]
  /** The version of the payloads that are written from now on. */
  readonly version: number
  readonly schema: Schema.Codec<A, I>
  /** Lift the JSON of an older version to the current one. */
  readonly upcast?: (data: Schema.Json, from: number) => Schema.Json
}

const strict = { onExcessProperty: "error" } as const
const namePattern = /^[a-z0-9][a-z0-9._-]*:[A-Za-z0-9][A-Za-z0-9._/-]*$/

/** Declare a type. Errors: throws when the name is not `vendor:name` or the version is no positive integer. */
export const make = <A, I extends Schema.Json>(definition: EventType<A, I>): EventType<A, I> => {
  if (!namePattern.test(definition.name)) throw new Error(`event type ${definition.name}: want "vendor:name"`)
  if (!Number.isSafeInteger(definition.version) || definition.version < 1) {
    throw new Error(`event type ${definition.name}: want a version of 1 or more`)
  }
  return definition
}

/** Make a draft of a typed value. Errors: throws when the value breaks its own schema. */
export const draft = <A, I extends Schema.Json>(type: EventType<A, I>, value: A): EventDraft => ({
  type: type.name,
  ...(type.version > 1 && { v: type.version }),
  data: Schema.encodeSync(type.schema)(value),
})

/** Read an event of this type, lifting older versions; fails in words for other types and later versions. */
export const decode = <A, I extends Schema.Json>(
  type: EventType<A, I>,
  event: SessionEvent,
): Result.Result<A, string> => {
  if (event.type !== type.name) return Result.fail(`the event is a ${event.type}, not a ${type.name}`)
  const from = ("v" in event ? event.v : undefined) ?? 1
  if (from > type.version) {
    return Result.fail(`${type.name} version ${from} is later than ${type.version}, the latest known here`)
  }
  if (from === type.version) return check(type, event.data)
  if (type.upcast === undefined)
    return Result.fail(`${type.name} version ${from} cannot be lifted to ${type.version}`)
  const lift = type.upcast
  return Result.flatMap(
    Result.try({
      try: () => lift(event.data as Schema.Json, from),
      catch: () => `${type.name}: its upcast threw`,
    }),
    (data) => check(type, data),
  )
}

/** Check the JSON of a payload of the current version. Excess properties are errors. */
export const check = <A, I extends Schema.Json>(
  type: EventType<A, I>,
  data: unknown,
): Result.Result<A, string> =>
  Result.mapError(Schema.decodeUnknownResult(type.schema, strict)(data), (error) => error.message)

/** What this process may append beside the core's types. */
export interface Registry extends ReadonlyMap<string, EventType> {}

export const Registry = Context.Reference<Registry>("effect-harness/event/EventType/Registry", {
  defaultValue: () => new Map(),
})

/** Collect types by name. Errors: throws when two have the same name. */
export const registry = (types: Iterable<EventType>): Registry => {
  const map = new Map<string, EventType>()
  for (const type of types) {
    if (map.has(type.name)) throw new Error(`event type ${type.name} is registered twice`)
    map.set(type.name, type)
  }
  return map
}

/** Provide a registry to every session that opens under this layer. */
export const layer = (types: Iterable<EventType>): Layer.Layer<never> =>
  Layer.succeed(Registry, registry(types))
