/**
 * Parameters of a tool by somebody else's JSON Schema, checked here.
 *
 * In:  a JSON Schema.      Out: `Parameters` that take what the schema takes.
 * Fails with: a `TypeError` when the schema is none, thrown where the tool is defined.
 * Not here: raw tools that check their own input (`spec/Parameters.ts`), the check (`Validator.ts`).
 */
import { Effect, type Schema } from "effect"
import * as Parameters from "../spec/Parameters.ts"
import * as Sensitive from "../spec/Sensitive.ts"
import * as Validator from "./Validator.ts"

/** Show the model the schema as it is, and hold its arguments against it. */
export const make = (
  jsonSchema: Schema.JsonObject,
  options?: Parameters.Options,
): Parameters.Parameters<Schema.JsonObject> => {
  const passing = Parameters.raw(jsonSchema, options)
  const validator = Validator.make(passing.jsonSchema)
  const check: typeof passing.check = (value) =>
    Effect.suspend(() => {
      const violations = validator.check(value)
      return violations.length === 0
        ? passing.check(value)
        : Effect.fail(Sensitive.hideIn(violations, passing.jsonSchema))
    })
  return { ...passing, check, decode: Parameters.decoder(passing.parse, check) }
}
