/**
 * Turn the issue of an Effect Schema into violations in this room's words.
 *
 * In:  a `SchemaIssue` of a decode with `errors: "all"`, the value that was decoded, the schema's JSON Schema.
 * Out: `Violation`s, with advice where the kind that was wanted tells what to do.
 * Fails with: nothing.
 * Not here: violations of a `SchemaSpec`, which are written from the spec (`compile*.ts`).
 */
import { type Schema, SchemaIssue } from "effect"
import type { Violation } from "../error/Violation.ts"
import {
  type Advice,
  convert,
  describe,
  leaveOut,
  mismatch,
  missing,
  type Path,
  place,
  unnest,
  unquote,
} from "../kind/Words.ts"
import { valueAt } from "./applyFix.ts"
import { isOptional } from "./followSchema.ts"
import * as Sensitive from "./Sensitive.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What the formatter's texts begin with, or are; a message that the schema's author wrote is neither. */
const expectedPrefix = "Expected "
const missingKey = "Missing key"

/** Write one violation for each leaf, in the order in which the schema met them. */
export const explain = (
  issue: SchemaIssue.Issue,
  input: unknown,
  jsonSchema: Schema.JsonObject,
): ReadonlyArray<Violation> => {
  const violations = format(issue).issues.map(({ message, path }) =>
    toViolation(message, (path ?? []).map(toStep), input, jsonSchema),
  )
  return Sensitive.hideIn(violations, jsonSchema)
}

const toStep = (step: unknown): string | number => (typeof step === "number" ? step : String(step))

const toViolation = (
  message: string,
  path: Path,
  input: unknown,
  jsonSchema: Schema.JsonObject,
): Violation => {
  if (message === missingKey) return missing(path, undefined)
  const value: unknown = valueAt(input, path)
  if (message.startsWith(expectedPrefix)) {
    const expected = message.slice(expectedPrefix.length)
    return mismatch(path, expected, value, advise(expected, value, path, jsonSchema))
  }
  return {
    path,
    expected: message,
    got: describe(value),
    message: `${place(path)}: ${message}, got ${describe(value)}`,
  }
}

/** The kinds that a schema wants stand in its issue as words. */
const advise = (
  expected: string,
  value: unknown,
  path: Path,
  jsonSchema: Schema.JsonObject,
): Advice | undefined => {
  const kinds = expected.split(" | ")
  const key = path.at(-1)
  if (value === null)
    return typeof key === "string" && isOptional(jsonSchema, path) ? leaveOut(key) : undefined
  const held = unquote(value)
  if (typeof held === "number" && kinds.includes("number")) return convert("number", String(held))
  if (typeof held === "boolean" && kinds.includes("boolean")) return convert("boolean", String(held))
  if (kinds.includes("object")) return unnest(value, "{", "object")
  if (!kinds.includes("array") || value === undefined) return undefined
  return unnest(value, "[", "array") ?? convert("array")
}
