/**
 * Check values against somebody else's JSON Schema, in the words of our own violations.
 *
 * In:  a JSON Schema of draft-04 to draft-07, 2019-09 or 2020-12.      Out: what is wrong with a value; nothing when it fits.
 * Fails with: a `TypeError` that names the place and the keyword, here, where the schema is given; later with nothing.
 * Not here: the argument text (`RawParameters.ts`), schemas of our own (`spec/`).
 *
 * Nothing is fetched: a `$ref` out of the document is refused. Formats are annotations, unknown keywords say nothing.
 * A `pattern` runs on what the model wrote: one that takes exponential time is a weakness of the schema that has it.
 */
import type { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { isRecord, mismatch, type Path } from "../kind/Words.ts"
import { addAdvice } from "./addAdvice.ts"
import { type Compiled, compile } from "./compileSchema.ts"
import { modernise } from "./modernise.ts"
import { follow } from "./pointer.ts"
import { reduce } from "./reduceErrors.ts"

export interface Validator {
  /** The edition that the schema was read as. */
  readonly draft: "2020-12" | "2019-09" | "draft-07"
  /**
   * List what is wrong, at most `maxViolations`.
   * Order: as the schema declares its properties; for one place as Ajv has its keywords.
   */
  readonly check: (value: unknown) => ReadonlyArray<Violation>
}

/** More would not be read. */
export const maxViolations = 32

/**
 * Units: values inside one another, each key and item one. Up to here all violations are looked for; in larger
 * values the first one only, for a list of a million wrong items would make a million of them.
 */
export const maxThorough = 10_000

/** Compile a schema. */
export const make = (given: Schema.JsonObject): Validator => {
  const schema = modernise(given)
  const compiled = compile(schema)
  return {
    draft: compiled.edition,
    check: (value) => {
      try {
        return checkBy(compiled, schema, value)
      } catch (cause) {
        if (!(cause instanceof TypeError)) throw cause
        return [mismatch([], "values that can be compared: no key valueOf or toString among them", value)]
      }
    },
  }
}

/** Ajv compares (`uniqueItems`, `const`, `enum`) by `valueOf` and `toString` where a value has its own, function or not. */
const checkBy = (compiled: Compiled, schema: Schema.JsonObject, value: unknown): ReadonlyArray<Violation> => {
  const isLarge = countsMoreThan(value, maxThorough)
  const errors = isLarge ? compiled.first(value) : compiled.all(value)
  if (errors.length === 0) return []
  const found = sortByPlace(schema, reduce(errors, value, compiled)).slice(0, maxViolations)
  return isLarge ? found : addAdvice(found, errors, value, compiled)
}

/** Without recursion: the value may nest as deep as it likes. */
const countsMoreThan = (value: unknown, limit: number): boolean => {
  const open: Array<unknown> = [value]
  let count = 0
  while (open.length > 0) {
    const next = open.pop()
    const parts: ReadonlyArray<unknown> = Array.isArray(next)
      ? next
      : isRecord(next)
        ? Object.values(next)
        : []
    count += parts.length
    if (count > limit) return true
    for (const part of parts) if (typeof part === "object") open.push(part)
  }
  return false
}

/** Put violations in the order in which a schema declares what they are about; what it does not declare comes last. */
const sortByPlace = (document: unknown, violations: ReadonlyArray<Violation>): ReadonlyArray<Violation> =>
  violations
    .map((violation) => ({ violation, rank: rankOf(violation.path, document) }))
    .sort((left, right) => compare(left.rank, right.rank))
    .map(({ violation }) => violation)

const rankOf = (path: Path, document: unknown): ReadonlyArray<number> => {
  let here = follow(document, document)
  return path.map((step) => {
    if (typeof step === "number") {
      here = follow(here["items"], document)
      return step
    }
    const properties = isRecord(here["properties"]) ? here["properties"] : {}
    const rank = Object.keys(properties).indexOf(step)
    here = rank < 0 ? {} : follow(properties[step], document)
    return rank < 0 ? Number.MAX_SAFE_INTEGER : rank
  })
}

const compare = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  for (const [index, rank] of left.entries()) {
    const difference = rank - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
