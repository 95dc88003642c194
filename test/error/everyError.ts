/**
 * Every error class of the package that a caller may meet, as one codec, and what two processes must agree on.
 *
 * Not here: `InvariantViolated`, which ends the process that it is in.
 */
import { Schema } from "effect"
import * as Foreign from "../../src/error/Foreign.ts"
import type { HarnessError } from "../../src/error/HarnessError.ts"
import { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import * as ToolkitError from "../../src/toolkit/ToolkitError.ts"

type ErrorClass = Schema.Codec<HarnessError, unknown>

const isClass = (value: unknown): value is ErrorClass => typeof value === "function" && Schema.isSchema(value)

const exported: ReadonlyArray<unknown> = [
  ...AnyHarnessError.members,
  ...ToolkitError.ToolkitError.members,
  ToolkitError.WorkspaceUnusable,
]

export const classes = exported.filter(isClass)

const codec = Schema.toCodecJson(Schema.Union(classes))

export const write = (errors: ReadonlyArray<HarnessError>): string =>
  JSON.stringify(errors.map((error) => Schema.encodeSync(codec)(error)))

export const readAll = (json: string): ReadonlyArray<HarnessError> =>
  Schema.decodeUnknownSync(Schema.Array(codec))(JSON.parse(json))

/** The code of what is thrown, and of all that caused it. */
const codesOf = (error: unknown, depth = 0): ReadonlyArray<string> => {
  if (error === undefined || depth === 8) return []
  const below = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined
  return [Foreign.normalise(error).code, ...codesOf(below, depth + 1)]
}

/** What must be the same on both sides. */
export const facts = (error: HarnessError) => ({
  class: error.constructor.name,
  isError: error instanceof Error,
  text: String(error),
  code: error.code,
  retry: error.retry,
  codes: codesOf(error),
})
