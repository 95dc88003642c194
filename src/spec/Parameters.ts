/**
 * What a tool takes, in the form the pipeline uses: what the model is shown, and how its text becomes arguments.
 *
 * In:  a `SchemaSpec`, an Effect Schema, or a raw JSON Schema.      Out: `Parameters`.
 * Fails with: `ArgumentsProblem` as a value; the pipeline gives it its tag and the tool's name.
 * Not here: the language of specs (`SchemaSpec.ts`), the text of a list of violations (`Violations.ts`).
 */
import { Effect, Result, Schema, SchemaParser } from "effect"
import type { Violation } from "../error/Violation.ts"
import { isRecord, mismatch, missing, noObject } from "../kind/Words.ts"
import { defaultLimits, type Limits, type Malformed, parse as parseText } from "../text/ArgumentText.ts"
import { explainer } from "./explain.ts"
import { refer } from "./followSchema.ts"
import { compile, type InferArgs, type SchemaSpec } from "./SchemaSpec.ts"
import * as Sensitive from "./Sensitive.ts"

/** Why arguments cannot be used: they are no JSON, or JSON that breaks the spec. */
export type ArgumentsProblem = Malformed | Invalid

export interface Invalid {
  readonly _tag: "Invalid"
  /** Never empty. */
  readonly violations: ReadonlyArray<Violation>
}

export interface Parameters<out A, out R = never> {
  /** Shape: draft 2020-12, an object at the root. */
  readonly jsonSchema: Schema.JsonObject
  /** Read the model's text: `parse`, then `check`. Nothing is repaired or coerced. */
  readonly decode: (text: string) => Effect.Effect<A, ArgumentsProblem, R>
  /** Read the text as JSON, which `check` has not seen yet; empty text is `{}`. */
  readonly parse: (text: string) => Result.Result<Schema.Json, ArgumentsProblem>
  /** Check a value that is already parsed. */
  readonly check: (value: unknown) => Effect.Effect<A, ReadonlyArray<Violation>, R>
  /**
   * Of arguments that were taken: the keys that nothing reads, with the key that may have been meant. None of an Effect
   * Schema, which drops them, and of a raw JSON Schema.
   */
  readonly notes: (args: unknown) => ReadonlyArray<Violation>
  /**
   * Put something else in place of what the spec calls sensitive, also in a value that was refused; a member of an
   * unknown name beside a sensitive one counts as sensitive. `undefined` when nothing is.
   */
  readonly mask: ((value: unknown, replace: (secret: unknown) => unknown) => unknown) | undefined
}

export interface Options {
  /** How large a text may be. */
  readonly limits?: Limits
}

/**
 * Take what a spec describes. The spec is read once, here; a wrong one throws here.
 *
 * A value that passes is the arguments themselves, not a copy: the text was read for this call alone. Only where a
 * default is put in, the objects on the way to it are made anew.
 */
export const fromSpec = <const S extends SchemaSpec>(
  spec: S,
  options?: Options,
): Parameters<InferArgs<S>> => {
  const { fill, is, jsonSchema, mask, notes, violations } = compile(spec)
  const check: Parameters<InferArgs<S>>["check"] = (value) =>
    is(value)
      ? // `is` decides as the codec of `InferArgs` does: test/spec/SchemaSpec.prop.test.ts stands behind this cast.
        Effect.succeed(fill(value) as InferArgs<S>)
      : Effect.fail(violations(value))
  return complete({ jsonSchema, check, notes, mask }, options)
}

/**
 * Take what an Effect Schema decodes from JSON: its canonical JSON codec, transformations included.
 *
 * Errors: a `TypeError`, here, when the schema's JSON is no object.
 */
export const fromSchema = <S extends Schema.Constraint>(
  schema: S,
  options?: Options,
): Parameters<S["Type"], S["DecodingServices"]> => {
  const jsonSchema = rootOf(Schema.toJsonSchemaDocument(schema))
  const explain = explainer(jsonSchema)
  const decodeUnknown = SchemaParser.decodeUnknownEffect(Schema.toCodecJson(schema), { errors: "all" })
  const check: Parameters<S["Type"], S["DecodingServices"]>["check"] = (value) =>
    isRecord(value)
      ? Effect.mapErrorEager(decodeUnknown(value), (issue) => explain(issue, value))
      : Effect.fail([Sensitive.guard(noObject(value, []), jsonSchema)])
  return complete({ jsonSchema, check, notes: noNotes, mask: Sensitive.maskOf(jsonSchema) }, options)
}

/**
 * Show the model a JSON Schema as it is, and take any JSON object: the tool checks its own input.
 * Only empty text is held against `required`, because it is no object of the model's making.
 *
 * Errors: a `TypeError`, here, when the schema's `type` is not `object`.
 */
export const raw = (jsonSchema: Schema.JsonObject, options?: Options): Parameters<Schema.JsonObject> => {
  const root = asObject(jsonSchema)
  const required = Array.isArray(root["required"]) ? root["required"].map(String) : []
  const check: Parameters<Schema.JsonObject>["check"] = (value) =>
    isJsonObject(value) ? Effect.succeed(value) : Effect.fail([Sensitive.guard(noJsonObject(value), root)])
  const whole = complete({ jsonSchema: root, check, notes: noNotes, mask: Sensitive.maskOf(root) }, options)
  if (required.length === 0) return whole
  const parse: typeof whole.parse = (text) =>
    text.trim() === ""
      ? Result.fail(invalid(required.map((name) => missing([name], undefined))))
      : whole.parse(text)
  return { ...whole, parse, decode: decoder(parse, check) }
}

const noNotes = () => []

/** Read the text as far as it is the same for all: what is sensitive is not quoted when the text is no JSON. */
const complete = <A, R>(
  parts: Omit<Parameters<A, R>, "parse" | "decode">,
  { limits = defaultLimits }: Options = {},
): Parameters<A, R> => {
  const isHidden = parts.mask !== undefined
  const parse: Parameters<A, R>["parse"] = (text) => parseText(text, limits, isHidden)
  return { ...parts, parse, decode: decoder(parse, parts.check) }
}

/** Read and check, in this order. */
export const decoder =
  <A, R>(parse: Parameters<A, R>["parse"], check: Parameters<A, R>["check"]): Parameters<A, R>["decode"] =>
  (text) => {
    const parsed = parse(text)
    return Result.isFailure(parsed)
      ? Effect.fail(parsed.failure)
      : Effect.mapErrorEager(check(parsed.success), invalid)
  }

const invalid = (violations: ReadonlyArray<Violation>): Invalid => ({ _tag: "Invalid", violations })

const noJsonObject = (value: unknown): Violation =>
  isRecord(value) ? mismatch([], "an object of JSON values only", value) : noObject(value, [])

const isJson = Schema.is(Schema.Json)
const isJsonObject = (value: unknown): value is Schema.JsonObject => isRecord(value) && isJson(value)

/** Put the definitions under the root, and the root where providers look for it: not behind a `$ref`. */
const rootOf = (document: ReturnType<typeof Schema.toJsonSchemaDocument>): Schema.JsonObject => {
  const $defs: Record<string, unknown> = document.definitions
  const target = refer(document.schema["$ref"], { $defs })
  const root = isRecord(target) ? target : document.schema
  const whole = Object.keys($defs).length === 0 ? root : { ...root, $defs }
  if (!isJsonObject(whole)) throw new TypeError("the JSON Schema of this Effect Schema is no JSON")
  return asObject(whole)
}

const asObject = (schema: Schema.JsonObject): Schema.JsonObject => {
  const type = schema["type"]
  if (type === "object") return schema
  if (type !== undefined)
    throw new TypeError(`a tool takes an object, its JSON Schema is of type ${JSON.stringify(type)}`)
  return { type: "object", properties: {}, ...schema }
}
