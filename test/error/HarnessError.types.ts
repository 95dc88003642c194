/**
 * What the types of errors promise: a code narrows, and a union can be matched to its end. Checked by the compiler alone.
 */
import { Effect } from "effect"
import { hasCode } from "../../src/error/HarnessError.ts"
import type { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import type * as ToolError from "../../src/tool/ToolError.ts"
import type { ToolDenied, ToolFailed, ToolTimedOut } from "../../src/tool/ToolError.ts"
import { same } from "../types/same.ts"

type AnyToolError = InstanceType<
  Extract<(typeof ToolError)[keyof typeof ToolError], new (...args: never) => object>
>

declare const timed: Effect.Effect<string, ToolTimedOut | ToolDenied>
declare const failed: Effect.Effect<string, ToolFailed | ToolDenied>
declare const any: Effect.Effect<string, AnyHarnessError>

// A class with one code is handled by it, and gone.
const late = timed.pipe(
  Effect.catchIf(hasCode("TOOL_TIMEOUT"), (error) => {
    same<typeof error, ToolTimedOut>(true)
    return Effect.succeed("late")
  }),
)
same<typeof late, Effect.Effect<string, ToolDenied>>(true)

// One with any code stays: it may have another.
const missing = failed.pipe(
  Effect.catchIf(hasCode("ENOENT"), (error) => {
    same<(typeof error)["code"], "ENOENT">(true)
    return Effect.succeed("")
  }),
)
same<typeof missing, Effect.Effect<string, ToolFailed | ToolDenied>>(true)

// With a handler for every tag, nothing is left.
declare const handlers: { readonly [Tag in AnyHarnessError["_tag"]]: () => Effect.Effect<string> }
const handled = any.pipe(Effect.catchTags(handlers))
same<typeof handled, Effect.Effect<string>>(true)

// With one for each of a room, none of that room is left; written out, so that a new class must be thought of here.
const withoutTools = any.pipe(
  Effect.catchTags({
    ToolNotFound: (error) => Effect.succeed(error.tool),
    ToolArgsMalformed: (error) => Effect.succeed(error.message),
    ToolArgsInvalid: (error) => Effect.succeed(error.violations.map(({ hint }) => hint).join()),
    ToolDenied: (error) => Effect.succeed(error.reason),
    ToolTimedOut: (error) => Effect.succeed(`${error.timeoutMillis} ms`),
    ToolOutputInvalid: (error) => Effect.succeed(error.code satisfies "INVALID_TOOL_OUTPUT"),
    ToolNeverStarted: (error) => Effect.succeed(error.code satisfies "ABORTED_BEFORE_START"),
    ToolInterrupted: (error) => Effect.succeed(error.code satisfies "ABORTED" | "STOPPED_ITSELF"),
    ToolDefect: (error) => Effect.succeed(error.retry satisfies "never"),
    ToolFailed: (error) => Effect.succeed(error.code),
    ToolBusy: (error) => Effect.succeed(error.code satisfies "RESOURCE_BUSY"),
    ToolNotStarted: (error) => Effect.succeed(error.retry satisfies "later"),
    ToolOutcomeUnknown: (error) => Effect.succeed(error.retry satisfies "never"),
  }),
)
same<typeof withoutTools, Effect.Effect<string, Exclude<AnyHarnessError, AnyToolError>>>(true)
