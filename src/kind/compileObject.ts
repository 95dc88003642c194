/**
 * The kind `object`: named properties, each required or not, and what other keys may hold; the arguments are one.
 *
 * In:  the keywords of one spec, and how to compile its properties.      Out: its `Place`.
 * Fails with: a `TypeError` when a property has a name that objects already own, or its spec is wrong.
 * Not here: what is said about a wrong object (`walkObject.ts`).
 */
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import { anyJson } from "./compilePlain.ts"
import {
  type Code,
  type Fill,
  type Keywords,
  type Kind,
  type Mask,
  type Place,
  refuse,
  type Scope,
  write,
} from "./Place.ts"
import { readFlag } from "./read.ts"
import { isRecord } from "./Words.ts"
import { type Property, type Shape, walkObject } from "./walkObject.ts"

/** Names whose meaning JavaScript took first: code that copies or merges arguments would trip over them. */
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

export const object: Kind = {
  keywords: ["properties", "additionalProperties"],
  compile: (spec, at, scope) => {
    const shape = readShape(spec, at, scope)
    const { mask, properties } = shape
    const fill = fillOf(shape)
    const is = isOf(shape)
    return {
      is,
      ...(properties.some(({ name }) => inherited(name)) ? {} : { code: codeOf(shape, is) }),
      walk: walkObject(shape),
      codec: () => codecOf(shape),
      jsonSchema: jsonSchemaOf(spec, shape),
      expected: "object",
      tags: () =>
        new Map(
          properties.flatMap(({ name, place, required }) =>
            required && place.values !== undefined ? [[name, place.values] as const] : [],
          ),
        ),
      ...(fill === undefined ? {} : { fill }),
      ...(mask === undefined ? {} : { mask }),
    }
  },
}

const readShape = (spec: Keywords, at: string, scope: Scope): Shape => {
  const given = spec["properties"] === undefined ? {} : spec["properties"]
  if (!isRecord(given)) return refuse(at, "properties are no object")
  const properties = Object.entries(given).map(([name, property]) => readProperty(name, property, at, scope))
  const rest = readRest(spec, at, scope, properties.length === 0)
  return {
    properties,
    rest,
    names: new Set(properties.map(({ name }) => name)),
    invites: spec["additionalProperties"] !== undefined,
    mask: maskOf(properties, rest),
  }
}

const readProperty = (name: string, spec: unknown, at: string, scope: Scope): Property => {
  const where = at === "" ? name : `${at}.${name}`
  if (forbiddenNames.has(name)) return refuse(where, "a property cannot have this name")
  if (!isRecord(spec)) return refuse(where, "want a spec, an object with a type")
  const { required: _, applyDefault: __, ...value } = spec
  const required = readFlag(spec, "required", where) === true
  const applies = readFlag(spec, "applyDefault", where) === true
  if (applies && spec["default"] === undefined) return refuse(where, "applyDefault has no default to apply")
  if (applies && required) return refuse(where, "a required key is never absent: applyDefault does nothing")
  const text = applies ? JSON.stringify(spec["default"]) : undefined
  return {
    name,
    place: scope.inside(value, where),
    required,
    makeDefault: text === undefined ? undefined : () => JSON.parse(text),
  }
}

/** Without properties there is nothing but other keys: then they are looked at. */
const readRest = (spec: Keywords, at: string, scope: Scope, isEmpty: boolean): Shape["rest"] => {
  const rest = spec["additionalProperties"]
  if (rest === undefined) return isEmpty ? anyJson : undefined
  if (typeof rest === "boolean") return rest ? anyJson : "closed"
  return scope.inside(rest, `${at}{}`)
}

/** Names that every object inherits: reading them finds something where nothing was sent. */
const inherited = (name: string): boolean => name in Object.prototype

const isOf = ({ properties, names, rest }: Shape): Place["is"] => {
  const mustOwn = properties.some(({ name }) => inherited(name))
  // One flat list of small closures, each with its name in reach: faster than reading records in a loop.
  const checks = properties.map(({ name, place: { is }, required }) => (value: Keywords): boolean => {
    const member = value[name]
    return member === undefined ? !required && !Object.hasOwn(value, name) : is(member)
  })
  const owning = (value: Keywords): Keywords => (mustOwn || !isPlain(value) ? ownMembers(value) : value)
  return (value) => {
    if (!isRecord(value)) return false
    const own = owning(value)
    for (let index = 0; index < checks.length; index++) if (checks[index]?.(own) === false) return false
    if (rest === undefined) return true
    return rest === "closed" ? isClosed(own, names) : isRest(own, names, rest)
  }
}

/** The same for an object of own members, key by key; any other is left to `is`. */
const codeOf =
  ({ properties, names, rest }: Shape, is: Place["is"]): Code =>
  (value, draft) => {
    const members = properties.flatMap(({ name, place, required }) => {
      const key = JSON.stringify(name)
      const absent = required ? "false" : `!(${key} in value)`
      return [
        `member = value[${key}]`,
        `if (!(member === undefined ? ${absent} : ${write(place, "member", draft)})) return false`,
      ]
    })
    const others = (own: Keywords): boolean =>
      rest === "closed" ? isClosed(own, names) : rest === undefined || isRest(own, names, rest)
    const check = draft.define([
      'if (typeof value !== "object" || value === null || Array.isArray(value)) return false',
      "const prototype = Object.getPrototypeOf(value)",
      `if (prototype !== Object.prototype && prototype !== null) return ${draft.use(is)}(value)`,
      "let member",
      ...members,
      `return ${rest === undefined ? "true" : `${draft.use(others)}(value)`}`,
    ])
    return `${check}(${value})`
  }

const isClosed = (own: Keywords, names: ReadonlySet<string>): boolean => {
  for (const key in own) if (!names.has(key)) return false
  return true
}

/** Nothing can be inherited but what all objects inherit. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isRest = (value: Keywords, names: ReadonlySet<string>, rest: Place): boolean => {
  for (const key in value)
    if (!names.has(key) && Object.hasOwn(value, key) && !rest.is(value[key])) return false
  return true
}

/** An object of own members, so that nothing inherited counts as sent: what `Schema.Struct` does not insist on. */
const Own = Schema.declareConstructor<Keywords>()(
  [],
  () => (value, ast, options) =>
    isRecord(value)
      ? Effect.succeed(ownMembers(value))
      : Effect.fail(new SchemaIssue.InvalidType(ast, value, options)),
)

const ownMembers = (value: object): Keywords => {
  const own: Record<string, unknown> = Object.create(null)
  for (const [key, member] of Object.entries(value)) own[key] = member
  return own
}

const isPresent = Schema.makeFilter((value: unknown) => value !== undefined)

/** From unknown, unlike `Schema.withDecodingDefaultKey`: the encoded sides of two branches of `oneOf` are one. */
const withDefault = (codec: Schema.Codec<unknown, unknown>, makeDefault: () => unknown) =>
  Schema.optionalKey(Schema.Unknown.check(isPresent)).pipe(
    Schema.decodeTo(codec, {
      decode: SchemaGetter.withDefault(Effect.sync(makeDefault)),
      encode: SchemaGetter.passthrough(),
    }),
  )

type Field =
  | Schema.Codec<unknown, unknown>
  | Schema.optionalKey<Schema.Codec<unknown, unknown>>
  | ReturnType<typeof withDefault>

const codecOf = ({ properties, names, rest }: Shape): Schema.Codec<unknown, unknown> => {
  const fields: Record<string, Field> = {}
  for (const { name, place, required, makeDefault } of properties) {
    const codec = place.codec()
    if (required) fields[name] = codec
    else if (makeDefault === undefined) fields[name] = Schema.optionalKey(codec)
    else fields[name] = withDefault(codec, makeDefault)
  }
  const isOther = Schema.makeFilter((key: string) => !names.has(key))
  const others = rest === undefined ? Schema.Unknown : rest === "closed" ? Schema.Never : rest.codec()
  const record = Schema.Record(Schema.String.check(isOther), others)
  return Own.pipe(Schema.decodeTo(Schema.StructWithRest(Schema.Struct(fields), [record])))
}

const jsonSchemaOf = (spec: Keywords, { properties, rest }: Shape): Schema.JsonObject => {
  const required = properties.filter((property) => property.required).map(({ name }) => name)
  const others = rest === undefined || rest === "closed" ? false : rest === anyJson || rest.jsonSchema
  return {
    type: "object",
    ...(spec["properties"] === undefined
      ? {}
      : { properties: Object.fromEntries(properties.map(({ name, place }) => [name, place.jsonSchema])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(spec["additionalProperties"] === undefined ? {} : { additionalProperties: others }),
  }
}

const fillOf = ({ properties, names, rest }: Shape): Fill | undefined => {
  const active = properties.filter(
    ({ place, makeDefault }) => place.fill !== undefined || makeDefault !== undefined,
  )
  const fillRest = typeof rest === "object" ? rest.fill : undefined
  if (active.length === 0 && fillRest === undefined) return undefined
  return (value) => {
    if (!isRecord(value)) return value
    let filled: Record<string, unknown> | undefined
    const put = (key: string, member: unknown) => {
      filled ??= { ...value }
      filled[key] = member
    }
    for (const { name, place, makeDefault } of active) {
      if (!Object.hasOwn(value, name)) {
        if (makeDefault !== undefined) put(name, filledBy(place, makeDefault()))
        continue
      }
      const other = place.fill?.(value[name]) ?? value[name]
      if (other !== value[name]) put(name, other)
    }
    if (fillRest !== undefined) {
      for (const [key, member] of Object.entries(value)) {
        const other = names.has(key) ? member : fillRest(member)
        if (other !== member) put(key, other)
      }
    }
    return filled ?? value
  }
}

/** A default is read as if it had been sent: the defaults inside it are put in too. */
const filledBy = ({ fill }: Place, given: unknown): unknown => (fill === undefined ? given : fill(given))

/** Where one member is secret, undeclared ones are too: they may be the secret under a wrong name. */
const maskOf = (properties: ReadonlyArray<Property>, rest: Shape["rest"]): Mask | undefined => {
  const masks = new Map(properties.map(({ name, place }) => [name, place.mask]))
  const maskRest = typeof rest === "object" ? rest.mask : undefined
  const isSecret = properties.some(({ place }) => place.mask !== undefined)
  if (!isSecret && maskRest === undefined) return undefined
  return (value, replace) => {
    if (!isRecord(value)) return replace(value)
    const members = Object.entries(value).map(([key, member]) => {
      if (masks.has(key)) return [key, masks.get(key)?.(member, replace) ?? member]
      return [key, maskRest === undefined ? replace(member) : maskRest(member, replace)]
    })
    return Object.fromEntries(members)
  }
}
