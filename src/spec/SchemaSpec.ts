/**
 * The plain-object language in which a tool says what it takes.
 *
 * In:  a `SchemaSpec`: property name → `{ type, required?, description?, … }`.      Out: its type, its codec, its JSON Schema.
 * Fails with: a `TypeError` when a spec is made wrongly, thrown where the tool is defined, never while it runs.
 * Not here: reading what the model sent (`Parameters.ts`), the meaning of each kind (`compile*.ts`).
 */
import type { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { compileRoot } from "../kind/Compiler.ts"

/** What an `enum` or a `const` may list. */
export type Scalar = string | number | boolean | null

interface Described {
  /** Shown to the model. */
  readonly description?: string
}

export interface StringSpec extends Described {
  readonly type: "string"
  readonly enum?: ReadonlyArray<string>
  readonly const?: string
}

/** `integer` means a whole number that a double holds exactly: within ±(2⁵³ − 1). */
export interface NumberSpec extends Described {
  readonly type: "number" | "integer"
  readonly enum?: ReadonlyArray<number>
  readonly const?: number
}

export interface BooleanSpec extends Described {
  readonly type: "boolean"
  readonly const?: boolean
}

export interface NullSpec extends Described {
  readonly type: "null"
}

/** Without a `type`, members may be of different kinds. */
export interface EnumSpec extends Described {
  readonly type?: never
  readonly enum: ReadonlyArray<Scalar>
}

export interface ConstSpec extends Described {
  readonly type?: never
  readonly const: Scalar
}

/** Without `items`, any JSON may be an item. */
export interface ArraySpec extends Described {
  readonly type: "array"
  readonly items?: ValueSpec
}

/** Keys that `properties` does not name are let through as they came, as JSON Schema does by default. */
export interface ObjectSpec extends Described {
  readonly type: "object"
  readonly properties?: SchemaSpec
}

export type ValueSpec =
  | StringSpec
  | NumberSpec
  | BooleanSpec
  | NullSpec
  | EnumSpec
  | ConstSpec
  | ArraySpec
  | ObjectSpec

/** A property is optional unless it says `required: true`. */
export type PropertySpec = ValueSpec & { readonly required?: boolean }

/** The arguments of a tool: an object of these properties. */
export interface SchemaSpec {
  readonly [name: string]: PropertySpec
}

/** The type of one value. */
export type InferValue<V> = V extends { readonly const: infer C }
  ? C
  : V extends { readonly enum: ReadonlyArray<infer Member> }
    ? Member
    : V extends { readonly type: "string" }
      ? string
      : V extends { readonly type: "number" | "integer" }
        ? number
        : V extends { readonly type: "boolean" }
          ? boolean
          : V extends { readonly type: "null" }
            ? null
            : V extends { readonly type: "array" }
              ? ReadonlyArray<V extends { readonly items: infer Items } ? InferValue<Items> : Schema.Json>
              : V extends { readonly type: "object" }
                ? V extends { readonly properties: infer Properties extends SchemaSpec }
                  ? InferArgs<Properties>
                  : Schema.JsonObject
                : Schema.Json

/** `Pick`, in a shape that an editor shows as one object. */
type Merge<T> = { readonly [K in keyof T]: T[K] }

/**
 * The type of the arguments: required keys, and optional keys that may be absent but never `undefined`.
 * A spec whose names are not known at compile time gives an object of any JSON.
 */
export type InferArgs<S extends SchemaSpec> = string extends keyof S
  ? Schema.JsonObject
  : Merge<
      { [K in keyof S as S[K] extends { readonly required: true } ? K : never]: InferValue<S[K]> } & {
        [K in keyof S as S[K] extends { readonly required: true } ? never : K]?: InferValue<S[K]>
      }
    >

/** One spec in its readings, made once. */
export interface Compiled<A> {
  /** Decides: decoding arguments is `Schema.decode` of it. */
  readonly schema: Schema.Codec<A, unknown>
  /** Tells the model. */
  readonly jsonSchema: Schema.JsonObject
  /** Explains: every violation in declaration order, none exactly when `schema` accepts. */
  readonly violations: (value: unknown) => ReadonlyArray<Violation>
}

/** Read a spec once for all purposes, or throw a `TypeError` that names what is wrong with it. */
export const compile = <const S extends SchemaSpec>(spec: S): Compiled<InferArgs<S>> => {
  const root = compileRoot(spec)
  return {
    // `InferArgs` reads as a type what `compileRoot` reads as a value, and nothing can link the two:
    // test/spec/SchemaSpec.prop.test.ts and SchemaSpec.types.ts stand behind this cast.
    schema: root.schema as Schema.Codec<InferArgs<S>, unknown>,
    jsonSchema: root.jsonSchema,
    violations: (value) => {
      const found: Array<Violation> = []
      root.walk(value, [], (violation) => found.push(violation))
      return found
    },
  }
}

/** Make the codec of the arguments. Unknown keys are kept as they came. */
export const toSchema = <const S extends SchemaSpec>(spec: S): Schema.Codec<InferArgs<S>, unknown> =>
  compile(spec).schema

/** Make the JSON Schema that the model is shown; draft 2020-12, an object at the root. */
export const toJsonSchema = (spec: SchemaSpec): Schema.JsonObject => compileRoot(spec).jsonSchema
