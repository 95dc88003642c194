/**
 * The plain-object language in which a tool says what it takes.
 *
 * In:  a `SchemaSpec`: property name → `{ type, required?, description?, … }`, or one object spec for all.
 * Out: its type, its codec, its check, its JSON Schema.
 * Fails with: a `TypeError` when a spec is made wrongly, thrown where the tool is defined, never while it runs.
 * Not here: reading what the model sent (`Parameters.ts`), the meaning of each kind (`kind/`).
 * Source: docs/reference/schema-spec.md, every keyword with its type, its JSON Schema and a wrong call.
 */
import type { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { compileRoot } from "../kind/Compiler.ts"
import { collect } from "../kind/Place.ts"
import { hasten } from "./hasten.ts"
import { noteBy } from "./note.ts"

/** What an `enum` or a `const` may list. */
export type Scalar = string | number | boolean | null

interface Described<Value> {
  readonly title?: string
  /** Shown to the model. */
  readonly description?: string
  /** Shown to the model. It takes effect only with `applyDefault: true` on a property. */
  readonly default?: Value | null
  readonly examples?: ReadonlyArray<Value | null>
  readonly deprecated?: boolean
  /** Null is taken too. */
  readonly nullable?: boolean
  /** Nobody is told the value but the body: a digest stands for it. `writeOnly` in JSON Schema. */
  readonly sensitive?: boolean
  /** What `ref` calls this spec by. */
  readonly name?: string
}

export interface StringSpec extends Described<string> {
  readonly type: "string"
  readonly enum?: ReadonlyArray<string>
  readonly const?: string
  /** Units: code points, as JSON Schema counts. */
  readonly minLength?: number
  /** Units: code points. */
  readonly maxLength?: number
  /** A regular expression with the `u` flag, not anchored. */
  readonly pattern?: string
  /** Shown to the model, never checked. */
  readonly format?: string
}

/** `integer` means a whole number that a double holds exactly: within ±(2⁵³ − 1). */
export interface NumberSpec extends Described<number> {
  readonly type: "number" | "integer"
  readonly enum?: ReadonlyArray<number>
  readonly const?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  /** Exact for decimals as they are written: 0.3 is a multiple of 0.1. */
  readonly multipleOf?: number
}

export interface BooleanSpec extends Described<boolean> {
  readonly type: "boolean"
  readonly const?: boolean
}

export interface NullSpec extends Described<null> {
  readonly type: "null"
}

/** Any JSON. */
export interface AnySpec extends Described<Schema.Json> {
  readonly type: "any"
}

/** Without a `type`, members may be of different kinds. */
export interface EnumSpec extends Described<Scalar> {
  readonly type?: never
  readonly enum: ReadonlyArray<Scalar>
}

export interface ConstSpec extends Described<Scalar> {
  readonly type?: never
  readonly const: Scalar
}

/** Without `items`, any JSON may be an item. */
export interface ArraySpec extends Described<ReadonlyArray<Schema.Json>> {
  readonly type: "array"
  readonly items?: ValueSpec
  readonly minItems?: number
  readonly maxItems?: number
  /** No two items are equal as JSON, whatever the order of their keys. */
  readonly uniqueItems?: boolean
}

export interface ObjectSpec extends Described<Schema.JsonObject> {
  readonly type: "object"
  readonly properties?: Properties
  /**
   * What keys that `properties` does not name may hold: nothing (`false`), any JSON (`true`), or what a spec says.
   * Left out, they are let through as they came, as JSON Schema does, and a near miss of a key is pointed out.
   */
  readonly additionalProperties?: boolean | ValueSpec
}

/** A value of exactly one of the branches. A key that holds another `const` in each tells them apart. */
export interface OneOfSpec extends Described<Schema.Json> {
  readonly type?: never
  readonly oneOf: ReadonlyArray<ValueSpec>
}

/** A value of at least one of the branches. */
export interface AnyOfSpec extends Described<Schema.Json> {
  readonly type?: never
  readonly anyOf: ReadonlyArray<ValueSpec>
}

/** A value of the spec that has this `name`: one around this, or one elsewhere in the same tool. */
export interface RefSpec extends Described<Schema.Json> {
  readonly type?: never
  readonly ref: string
}

export type ValueSpec =
  | StringSpec
  | NumberSpec
  | BooleanSpec
  | NullSpec
  | AnySpec
  | EnumSpec
  | ConstSpec
  | ArraySpec
  | ObjectSpec
  | OneOfSpec
  | AnyOfSpec
  | RefSpec

/** A property is optional unless it says `required: true`. */
export type PropertySpec = ValueSpec & {
  readonly required?: boolean
  /** Put the default in when the key is absent: the body then always finds it. */
  readonly applyDefault?: boolean
}

export interface Properties {
  readonly [name: string]: PropertySpec
}

/** The arguments of a tool: an object of these properties, or an object spec that says more of the whole. */
export type SchemaSpec = Properties | ObjectSpec

/** Levels that are left before a type becomes `Json`: the compiler gives up long before JSON does. */
type Depth = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16
type Less = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** The specs around, by name: none yet. */
type NoNames = object

type WithName<V, Env> = V extends { readonly name: infer N extends string }
  ? N extends keyof Env
    ? Env
    : Env & { readonly [K in N]: V }
  : Env

/** The type of one value. Sixteen levels down, and where a `ref` names no spec around it, it is any JSON. */
export type InferValue<V, Env = NoNames, D extends Depth = 16> = D extends 0
  ? Schema.Json
  : V extends { readonly nullable: true }
    ? InferKind<V, WithName<V, Env>, D> | null
    : InferKind<V, WithName<V, Env>, D>

type InferKind<V, Env, D extends Depth> = V extends { readonly const: infer C }
  ? C
  : V extends { readonly enum: ReadonlyArray<infer Member> }
    ? Member
    : V extends { readonly type: infer T extends string }
      ? InferType<T, V, Env, D>
      : V extends
            | { readonly oneOf: ReadonlyArray<infer Branch> }
            | { readonly anyOf: ReadonlyArray<infer Branch> }
        ? InferBranch<Branch, Env, Less[D]>
        : V extends { readonly ref: infer N extends keyof Env }
          ? InferValue<Env[N], Env>
          : Schema.Json

type InferBranch<B, Env, D> = D extends Depth ? (B extends unknown ? InferValue<B, Env, D> : never) : never

type InferType<T, V, Env, D extends Depth> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? V extends { readonly items: infer Items }
            ? readonly InferBranch<Items, Env, Less[D]>[]
            : ReadonlyArray<Schema.Json>
          : T extends "object"
            ? InferObject<V, Env, Less[D]>
            : Schema.Json

type InferObject<V, Env, D> = D extends Depth
  ? V extends { readonly properties: infer P extends Properties }
    ? V extends { readonly additionalProperties: infer Rest }
      ? InferProperties<P, Env, D> & InferRest<Rest, Env, D, InferProperties<P, Env, D>>
      : InferProperties<P, Env, D>
    : V extends { readonly additionalProperties: infer Rest }
      ? InferRest<Rest, Env, D, NoNames>
      : Schema.JsonObject
  : never

/** What declared keys hold when they are there. */
type Held<Known> = Required<Known>[keyof Known]

/** Other keys: their own type, or that of a declared key, since an index covers both. */
type InferRest<Rest, Env, D extends Depth, Known> = Rest extends false
  ? unknown
  : Rest extends true
    ? { readonly [key: string]: Schema.Json | Held<Known> }
    : { readonly [key: string]: InferValue<Rest, Env, D> | Held<Known> }

type Present = { readonly required: true } | { readonly applyDefault: true }

/** `Pick`, in a shape that an editor shows as one object. */
type Merge<T> = { readonly [K in keyof T]: T[K] }

type InferProperties<P, Env, D extends Depth> = string extends keyof P
  ? Schema.JsonObject
  : Merge<
      { [K in keyof P as P[K] extends Present ? K : never]: InferValue<P[K], Env, D> } & {
        [K in keyof P as P[K] extends Present ? never : K]?: InferValue<P[K], Env, D>
      }
    >

/**
 * The type of the arguments: required keys, and optional keys that may be absent but never `undefined`.
 * A spec whose names are not known at compile time gives an object of any JSON.
 */
export type InferArgs<S> = S extends { readonly type: "object" }
  ? InferValue<S>
  : InferProperties<S, NoNames, 16>

/** One spec in its readings, made once. */
export interface Compiled<A> {
  /** The reference: decoding arguments gives what `Schema.decode` of it gives. Made at the first look. */
  readonly schema: Schema.Codec<A, unknown>
  /** Tells the model. */
  readonly jsonSchema: Schema.JsonObject
  /** Decides, as `schema` does, and makes nothing on the way. */
  readonly is: (value: unknown) => boolean
  /** Explains: every violation in declaration order, none exactly when `is` holds. */
  readonly violations: (value: unknown) => ReadonlyArray<Violation>
  /** Points out keys of a value that `is` holds of and that the spec does not know, though it takes them. */
  readonly notes: (value: unknown) => ReadonlyArray<Violation>
  /** Put in the defaults that the spec applies. The value itself when there is nothing to put in; never changed. */
  readonly fill: (value: unknown) => unknown
  /** Put something else where the spec says `sensitive`. Total: whatever the value. `undefined`: nothing is. */
  readonly mask: ((value: unknown, replace: (secret: unknown) => unknown) => unknown) | undefined
}

/** Read a spec once for all purposes, or throw a `TypeError` that names what is wrong with it. */
export const compile = <const S extends SchemaSpec>(spec: S): Compiled<InferArgs<S>> => {
  const root = compileRoot(spec)
  let schema: Schema.Codec<InferArgs<S>, unknown> | undefined
  return {
    get schema() {
      // `InferArgs` reads as a type what `compileRoot` reads as a value, and nothing can link the two:
      // test/spec/SchemaSpec.prop.test.ts and Inference.test.ts stand behind this cast.
      schema ??= root.codec() as Schema.Codec<InferArgs<S>, unknown>
      return schema
    },
    jsonSchema: root.jsonSchema,
    is: hasten(root),
    violations: (value) => collect(root, value, []),
    notes: noteBy(root),
    fill: root.fill ?? ((value) => value),
    mask: root.mask,
  }
}

/** Make the codec of the arguments. Unknown keys are kept as they came. */
export const toSchema = <const S extends SchemaSpec>(spec: S): Schema.Codec<InferArgs<S>, unknown> =>
  compile(spec).schema

/** Make the JSON Schema that the model is shown; draft 2020-12, an object at the root. */
export const toJsonSchema = (spec: SchemaSpec): Schema.JsonObject => compileRoot(spec).jsonSchema
