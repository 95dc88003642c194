/**
 * Hold an output against the schema that its tool declares.
 *
 * In:  the schema, then any value.      Out: the value's encoded form, as JSON.
 * Fails with: `ToolOutputInvalid`, with every violation.
 * Not here: outputs without a schema (`Output.ts`).
 */
import { Cause, Effect, SchemaIssue as Issue, Result, Schema, type SchemaIssue } from "effect"
import * as Foreign from "../error/Foreign.ts"
import type { Violation } from "../error/Violation.ts"
import { jsonify, placeOf } from "./jsonify.ts"
import * as Output from "./Output.ts"
import type { ToolOutputInvalid } from "./ToolError.ts"

const format = Issue.makeFormatterStandardSchemaV1()

/** Encode by the schema's canonical JSON codec, then render. */
export const declared = <S extends Schema.Codec<unknown, unknown, unknown, unknown>>(
  tool: string,
  schema: S,
): ((value: unknown) => Effect.Effect<Output.Rendered, ToolOutputInvalid, S["EncodingServices"]>) => {
  const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(schema), { errors: "all" })
  return (value) => {
    const lost = nonFinite(value)
    if (lost.length > 0) return Effect.fail(Output.invalid(tool, lost))
    const encoded: Effect.Effect<unknown, ToolOutputInvalid, S["EncodingServices"]> = Effect.catchCause(
      Effect.suspend(() => encode(value)),
      (cause) => {
        const error = Cause.findError(cause)
        if (Result.isSuccess(error)) return Effect.fail(Output.invalid(tool, explain(error.success.issue)))
        if (Cause.hasInterrupts(cause)) return Effect.failCause(error.failure)
        return Effect.fail(Output.invalid(tool, [broken(Cause.squash(cause))]))
      },
    )
    return Effect.flatMap(encoded, (json) => Output.render(tool, json))
  }
}

/** The canonical codec of a number writes Infinity as text; here a number stays one or is refused. */
const nonFinite = (value: unknown): ReadonlyArray<Violation> => {
  const json = jsonify(value)
  return Result.isSuccess(json) ? [] : json.failure.filter(({ expected }) => expected === "a finite number")
}

const explain = (issue: SchemaIssue.Issue): ReadonlyArray<Violation> =>
  format(issue).issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === "number" ? step : String(step)))
    const [expected = message, got = "another value"] = message.split(", got ")
    return {
      path: steps,
      expected: expected.replace(/^Expected /, ""),
      got,
      message: `${placeOf(steps)}: ${message}`,
    }
  })

const broken = (defect: unknown): Violation => {
  const message = `output: the output schema broke: ${Foreign.normalise(defect).message}`
  return { path: [], expected: "a value that the output schema can encode", got: "another", message }
}
