/**
 * Turn the issue of an Effect Schema into violations in this room's words.
 *
 * In:  the schema's JSON Schema, then the `SchemaIssue` of a decode with `errors: "all"` and the value.
 * Out: `Violation`s: where the JSON Schema says what is wanted, as a spec would say it, with the same hints and fixes;
 *      else in the words of the schema. A message that the schema's author wrote always stands.
 * Fails with: nothing.
 * Not here: the JSON Schema as a spec (`specOf.ts`).
 */
import { type Schema, SchemaIssue } from "effect"
import type { Violation } from "../error/Violation.ts"
import { compileRoot } from "../kind/Compiler.ts"
import { collect, type Place } from "../kind/Place.ts"
import { describe, leaveOut, mismatch, missing, type Path, place } from "../kind/Words.ts"
import { valueAt } from "./applyFix.ts"
import { isOptional, nodesAt } from "./followSchema.ts"
import * as Sensitive from "./Sensitive.ts"
import { specOf } from "./specOf.ts"
import { maxViolations } from "./Violations.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What the formatter's texts begin with, or are; a message that the schema's author wrote is neither. */
const expectedPrefix = "Expected "
const missingKey = "Missing key"

interface Found {
  readonly path: Path
  readonly message: string
}

/** Write the violations, in the order in which the schema met them; the first hundred places are looked at. */
export const explainer = (
  jsonSchema: Schema.JsonObject,
): ((issue: SchemaIssue.Issue, input: unknown) => ReadonlyArray<Violation>) => {
  let root: Place | undefined
  return (issue, input) => {
    root ??= placeOf(jsonSchema)
    const issues = format(issue)
      .issues.slice(0, maxViolations)
      .map(({ message, path }): Found => ({ message, path: (path ?? []).map(toStep) }))
    return Sensitive.hideIn(merge(issues, collect(root, input, []), input, jsonSchema), jsonSchema)
  }
}

/** What no spec can be is explained in the schema's own words alone. */
const placeOf = (jsonSchema: Schema.JsonObject): Place => {
  try {
    return compileRoot(specOf(jsonSchema))
  } catch {
    return compileRoot({})
  }
}

const toStep = (step: unknown): string | number => (typeof step === "number" ? step : String(step))

const startsWith = (path: Path, beginning: Path): boolean =>
  beginning.every((step, index) => step === path[index])

const isRelated = (one: Path, other: Path): boolean => startsWith(one, other) || startsWith(other, one)

const isOfLibrary = ({ message }: Found): boolean =>
  message === missingKey || message.startsWith(expectedPrefix)

/** The spec speaks where the schema complains, and names misspelt keys; it is silent where it has nothing to say. */
const merge = (
  issues: ReadonlyArray<Found>,
  said: ReadonlyArray<Violation>,
  input: unknown,
  jsonSchema: Schema.JsonObject,
): ReadonlyArray<Violation> => {
  const own = issues.filter((one) => !isOfLibrary(one))
  const fits = ({ fix, path }: Violation) =>
    !own.some((one) => isRelated(one.path, path)) &&
    (fix?.kind === "rename" || fix?.kind === "unwrap" || issues.some((one) => isRelated(one.path, path)))
  const open = new Set(said.filter(fits))
  const spoken = [...open]
  const found: Array<Violation> = []
  for (const one of issues) {
    const about = spoken.filter(({ path }) => isRelated(one.path, path))
    for (const violation of about) if (open.delete(violation)) found.push(violation)
    if (about.length === 0 && (!isOfLibrary(one) || !isOtherBranch(one, spoken, jsonSchema)))
      found.push(toViolation(one, input, jsonSchema))
  }
  return [...found, ...open].slice(0, maxViolations)
}

/** The schema complains of all branches of a union, the spec of the one that was meant. */
const isOtherBranch = (
  { path }: Found,
  spoken: ReadonlyArray<Violation>,
  jsonSchema: Schema.JsonObject,
): boolean =>
  path.some((_, length) => {
    const around = path.slice(0, length)
    return (
      spoken.some((violation) => startsWith(violation.path, around)) &&
      nodesAt(jsonSchema, around).some(({ anyOf, oneOf }) => (anyOf ?? oneOf) !== undefined)
    )
  })

const toViolation = ({ message, path }: Found, input: unknown, jsonSchema: Schema.JsonObject): Violation => {
  if (message === missingKey) return missing(path, undefined)
  const value: unknown = valueAt(input, path)
  const key = path.at(-1)
  const isSpare = value === null && typeof key === "string" && isOptional(jsonSchema, path)
  const advice = isSpare ? leaveOut(key) : undefined
  if (message.startsWith(expectedPrefix))
    return mismatch(path, message.slice(expectedPrefix.length), value, advice)
  const said = { path, expected: message, got: describe(value) }
  return { ...said, message: `${place(path)}: ${message}, got ${describe(value)}` }
}
