/**
 * Turn the issue of an Effect Schema into violations in this room's words.
 *
 * In:  a `SchemaIssue` of a decode with `errors: "all"`, and the value that was decoded.      Out: `Violation`s.
 * Fails with: nothing.
 * Not here: violations of a `SchemaSpec`, which are written from the spec (`compile*.ts`).
 */
import { SchemaIssue } from "effect"
import type { Violation } from "../error/Violation.ts"
import { describe, mismatch, missing, type Path, place } from "../kind/Words.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What the formatter's texts begin with, or are; a message that the schema's author wrote is neither. */
const expectedPrefix = "Expected "
const missingKey = "Missing key"

/** Write one violation for each leaf, in the order in which the schema met them. */
export const explain = (issue: SchemaIssue.Issue, input: unknown): ReadonlyArray<Violation> =>
  format(issue).issues.map(({ message, path }) => toViolation(message, (path ?? []).map(toStep), input))

const toStep = (step: unknown): string | number => (typeof step === "number" ? step : String(step))

const toViolation = (message: string, path: Path, input: unknown): Violation => {
  if (message === missingKey) return missing(path, undefined)
  const value = valueAt(input, path)
  if (message.startsWith(expectedPrefix)) return mismatch(path, message.slice(expectedPrefix.length), value)
  return {
    path,
    expected: message,
    got: describe(value),
    message: `${place(path)}: ${message}, got ${describe(value)}`,
  }
}

const valueAt = (input: unknown, path: Path): unknown => {
  let value = input
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}
