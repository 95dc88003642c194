/**
 * What a tool takes, in the form the pipeline uses: what the model is shown, and how its text becomes arguments.
 *
 * In:  a `SchemaSpec`, an Effect Schema, or a raw JSON Schema.      Out: `Parameters`.
 * Fails with: `ArgumentsProblem` as a value; the pipeline gives it its tag and the tool's name.
 * Not here: the language of specs (`SchemaSpec.ts`), the text of a list of violations (`Violations.ts`).
 */
import type { Effect, Schema } from "effect"
import type { Violation } from "../error/Violation.ts"

/** Why arguments cannot be used: they are no JSON, or JSON that breaks the spec. Each `message` is whole. */
export type ArgumentsProblem =
  | { readonly _tag: "Malformed"; readonly message: string; readonly position?: number }
  | { readonly _tag: "Invalid"; readonly violations: ReadonlyArray<Violation> }

export interface Parameters<out A, out R = never> {
  /** Shape: draft 2020-12, an object at the root. */
  readonly jsonSchema: Schema.JsonObject
  /** Read the model's text: strict JSON, then `check`. Nothing is repaired or coerced. */
  readonly decode: (text: string) => Effect.Effect<A, ArgumentsProblem, R>
  /** Check a value that is already parsed. */
  readonly check: (value: unknown) => Effect.Effect<A, ReadonlyArray<Violation>, R>
}
