/**
 * Stage one: the model's text becomes arguments.
 *
 * In:  a tool's name and its parameters, then the text.      Out: the arguments.
 * Fails with: `ToolArgsMalformed`, `ToolArgsInvalid`; a check that breaks refuses too, since nothing may run unchecked.
 * Not here: what counts as good (`spec/`).
 */
import { Cause, Effect, Result } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import { Redaction } from "../message/Redaction.ts"
import * as Leniency from "../spec/Leniency.ts"
import type { ArgumentsProblem, Parameters } from "../spec/Parameters.ts"
import * as Violations from "../spec/Violations.ts"
import { ToolArgsInvalid, ToolArgsMalformed } from "./ToolError.ts"

type Refusal = ToolArgsMalformed | ToolArgsInvalid

/** Read and check the arguments of one call, under the policies that are on. */
export const decode = <A, R>(
  tool: string,
  parameters: Parameters<A, R>,
): ((
  argumentText: string,
  lenient: ReadonlySet<Leniency.Policy>,
) => Effect.Effect<Leniency.Reading<A>, Refusal, R>) => {
  // The check of an author's schema may be an Effect that slips.
  const contained = { ...parameters, check: (value: unknown) => Contained.run(parameters.check(value)) }
  return (argumentText, lenient) => {
    const read = ({ digest }: Redaction) =>
      settle(
        tool,
        Contained.from(() => Leniency.read(contained, lenient, digest)(argumentText)),
      )
    return parameters.mask === undefined ? read(revealing) : Effect.flatMap(Redaction, read)
  }
}

const settle = <A, R>(
  tool: string,
  reading: Effect.Effect<A, ArgumentsProblem, R>,
): Effect.Effect<A, Refusal, R> =>
  Effect.matchCauseEffectEager(reading, {
    onSuccess: (read) => Effect.succeed(read),
    onFailure: (cause) => {
      const problem = Cause.findError(cause)
      if (Result.isSuccess(problem)) return Effect.fail(refuse(tool, problem.success))
      const defect = Cause.findDefect(cause)
      return Result.isSuccess(defect)
        ? Effect.fail(broken(tool, defect.success))
        : Effect.failCause(problem.failure)
    },
  })

/** Of parameters without secrets, nothing is ever digested. */
const revealing: Redaction = { digest: String }

const refuse = (tool: string, problem: ArgumentsProblem): Refusal =>
  problem._tag === "Malformed"
    ? new ToolArgsMalformed({
        message: problem.message,
        tool,
        ...(problem.position === undefined ? {} : { position: problem.position }),
      })
    : new ToolArgsInvalid({
        message: Violations.toText(problem.violations),
        tool,
        violations: problem.violations.slice(0, Violations.maxViolations),
      })

const broken = (tool: string, defect: unknown): ToolArgsInvalid => {
  const message = `The check of the arguments broke: ${Foreign.normalise(defect).message}`
  const violation = { path: [], expected: "arguments that the check can read", got: "others", message }
  return new ToolArgsInvalid({ message, tool, violations: [violation], cause: defect })
}
