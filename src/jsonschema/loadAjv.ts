/**
 * The one place that knows Ajv: loaded when the first schema is to be checked, one class a draft.
 *
 * In:  which edition of JSON Schema.      Out: a fresh Ajv, and whether a schema is one at all.
 * Fails with: a `TypeError` that says what to install when Ajv is not there.
 * Not here: which edition a schema is written in (`compileSchema.ts`), what it found in words (`toViolation.ts`).
 * Source: docs/adr/0010, why it is an optional peer, and why `require`: a tool is defined synchronously.
 */
import { createRequire } from "node:module"
import { isMultiple } from "../text/Decimal.ts"

/** The editions that Ajv has a class for. It reads draft-06 with the class of draft-07, which only adds to it. */
export type Edition = "2020-12" | "2019-09" | "draft-07"

/** What we use of Ajv, as it is in version 8; its own types stay out of ours, for it need not be installed. */
export interface Ajv {
  readonly compile: (schema: object) => Check
  readonly addSchema: (schema: object, key: string) => unknown
  /** The check of a part of an added schema, by `key#/pointer`. */
  readonly getSchema: (key: string) => Check | undefined
  readonly removeKeyword: (keyword: string) => unknown
  readonly addKeyword: (definition: object) => unknown
  readonly validateSchema: (schema: object) => unknown
  readonly errors?: ReadonlyArray<AjvError> | null
}

export interface Check {
  (value: unknown): unknown
  readonly errors?: ReadonlyArray<AjvError> | null
}

/** One complaint, with `verbose: true`. */
export interface AjvError {
  readonly keyword: string
  /** JSON Pointer into the value. */
  readonly instancePath: string
  /** JSON Pointer into the schema document, behind a `#`. */
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  /** Set on what a `propertyNames` says of a key. */
  readonly propertyName?: string
  readonly parentSchema?: unknown
  readonly data?: unknown
}

const modules: Record<Edition, string> = {
  "2020-12": "ajv/dist/2020.js",
  "2019-09": "ajv/dist/2019.js",
  "draft-07": "ajv/dist/ajv.js",
}

const options = {
  // A schema says what it says; unknown keywords and doubtful combinations are the author's business.
  strict: false,
  logger: false,
  // Formats are annotations, as the specification has it by default.
  validateFormats: false,
  // `toString` is no property that a model sent.
  ownProperties: true,
  verbose: true,
  messages: false,
  code: { regExp: toRegExp },
}

/** Make an Ajv that holds nothing yet: schemas of different tools may use the same `$id`. */
export const makeAjv = (edition: Edition, allErrors: boolean): Ajv => {
  const ajv = construct(edition, { ...options, allErrors, meta: false, validateSchema: false })
  // Draft-04's name of `$id`; an annotation since, where Ajv would refuse the whole schema.
  ajv.removeKeyword("id")
  // Ajv divides doubles: it finds no 19.99 among the multiples of 0.01.
  ajv.removeKeyword("multipleOf")
  ajv.addKeyword(multipleOf)
  return ajv
}

const multipleOf = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  errors: false,
  compile: (step: number) => (value: number) => isMultiple(value, step),
}

const judges = new Map<Edition, Ajv>()

/** Say what is wrong with a schema itself: nothing when it is one. */
export const judge = (edition: Edition, schema: object): ReadonlyArray<AjvError> => {
  let ajv = judges.get(edition)
  if (ajv === undefined) {
    ajv = construct(edition, { ...options, allErrors: true })
    judges.set(edition, ajv)
  }
  return ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? [])
}

type Constructor = new (options: object) => Ajv

const construct = (edition: Edition, given: object): Ajv => {
  const { default: Class }: { readonly default: Constructor } = load(modules[edition])
  return new Class(given)
}

const load = (name: string) => {
  try {
    return createRequire(import.meta.url)(name)
  } catch (cause) {
    throw new TypeError("checking a raw JSON Schema (validate: true) needs ajv; run: npm install ajv@8", {
      cause,
    })
  }
}

/** Patterns are Unicode ones; those that are none, like `[\w\-.]`, are read the old way, as their authors tried them. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u")
  } catch {
    return new RegExp(pattern)
  }
}
