/**
 * Every way in which one call can go wrong, as tools that do so, and when they do it.
 *
 * In:  nothing.      Out: `faults`, one a row of the matrix.
 * Not here: what must hold whatever went wrong (`faultMatrix.test.ts`).
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { runInNewContext } from "node:vm"
import { Deferred, Effect, Schema } from "effect"
import type { Outcome } from "../../src/message/ToolResult.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"

/** Before the body; in its first step; after it has waited for something, or is done. */
export type Moment = "before" | "during" | "after"

export interface Fault {
  readonly name: string
  readonly moment: Moment
  readonly tool: Tool.Tool<"faulty", never, unknown, unknown, never>
  readonly args?: string
  /** Asked about the faulty call alone. */
  readonly guard?: Guard.Guard
  /** Outcome and code. */
  readonly ends: readonly [Outcome, code?: string]
  /** What has to happen in the world once the fault has been `reached`. */
  readonly act?: "abort" | "wait a minute"
  readonly reached: Effect.Effect<void>
}

class NoSuchRow extends Schema.TaggedError<NoSuchRow>()("NoSuchRow", { key: Schema.String }) {}

const circle: { self?: unknown } = {}
circle.self = circle

const bodied = <B extends Effect.Effect<unknown, unknown> | Promise<unknown>>(run: () => B) =>
  Tool.defineTool({ name: "faulty", description: "Goes wrong", parameters: {}, run })

const fine = bodied(() => Effect.succeed("fine"))
const strict = Tool.defineTool({
  name: "faulty",
  description: "Wants a number",
  parameters: { count: { type: "integer", required: true } },
  run: ({ count }) => Effect.succeed(count),
})

const giving = (output: () => unknown): Fault["tool"] => bodied(() => Effect.sync(output))

const throwing = (thrown: () => unknown): Fault["tool"] =>
  bodied((): Effect.Effect<void> => {
    throw thrown()
  })

const now = Effect.void
const fault = (
  name: string,
  moment: Moment,
  tool: Fault["tool"],
  ends: Fault["ends"],
  more: Partial<Fault> = {},
): Fault => ({ name, moment, tool, ends, reached: now, ...more })

/** The same fault at once, and after the body has waited. */
const both = (
  name: string,
  body: Effect.Effect<unknown, unknown>,
  ends: Fault["ends"],
): ReadonlyArray<Fault> => [
  fault(
    name,
    "during",
    bodied(() => body),
    ends,
  ),
  fault(
    name,
    "after",
    bodied(() => Effect.andThen(Effect.yieldNow, body)),
    ends,
  ),
]

const dying = (name: string, thrown: () => unknown): ReadonlyArray<Fault> => [
  fault(name, "during", throwing(thrown), ["defect", "TOOL_DEFECT"]),
  fault(
    name,
    "after",
    bodied(() =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          throw thrown()
        }),
      ),
    ),
    ["defect", "TOOL_DEFECT"],
  ),
]

const refused = (name: string, guard: Guard.Guard): Fault =>
  fault(name, "before", fine, ["denied", "TOOL_DENIED"], { guard })

/** A fault that says when the world may go on. */
const waiting = (make: (reach: Effect.Effect<void>) => Omit<Fault, "reached">): Fault => {
  const mark = Deferred.makeUnsafe<void>()
  const reach = Effect.asVoid(Deferred.succeed(mark, undefined))
  return { ...make(reach), reached: Deferred.await(mark) }
}

const foreign = (): unknown => runInNewContext("Object.assign(new Error('x'), { code: 'EACCES' })")
const kill = "process.kill(process.pid, 'SIGKILL')"

/** Made anew for each story: some of them wait for a mark that is set once. */
export const faults = (): ReadonlyArray<Fault> => [
  fault("arguments that are no JSON", "before", strict, ["rejected", "ARGS_NOT_JSON"], { args: '{"count":' }),
  fault("wrong arguments", "before", strict, ["rejected", "INVALID_ARGS"], { args: '{"count":"1"}' }),
  refused("a deny", () => Effect.succeed(Guard.deny("not here"))),
  refused("an ask without an answer", () => Effect.succeed(Guard.ask("costs money"))),
  refused("a guard that fails", () => Effect.fail("offline")),
  refused("a guard that throws", () => {
    throw new Error("bug")
  }),
  ...both("a typed failure", Effect.fail(new NoSuchRow({ key: "k" })), ["failed", "NO_SUCH_ROW"]),
  ...both("a failure of nothing", Effect.fail(undefined), ["failed", "TOOL_FAILED"]),
  ...dying("a thrown Error", () => new TypeError("x is not a function")),
  ...dying("a thrown string", () => "boom"),
  ...dying("a thrown undefined", () => undefined),
  ...dying("a thrown Error of another realm", foreign),
  ...both(
    "an Error of another realm",
    Effect.suspend(() => Effect.fail(foreign())),
    ["failed", "EACCES"],
  ),
  fault(
    "a rejected promise",
    "during",
    bodied(() => Promise.reject(new Error("no"))),
    ["failed", "TOOL_FAILED"],
  ),
  fault(
    "a rejected promise",
    "after",
    bodied(() => Promise.resolve().then(() => Promise.reject(foreign()))),
    ["failed", "EACCES"],
  ),
  ...both("a self-interruption", Effect.interrupt, ["interrupted", "STOPPED_ITSELF"]),
  waiting((reach) => ({
    name: "a hang",
    moment: "during",
    tool: bodied(() => Effect.andThen(reach, Effect.never)).pipe(Tool.timeout("1 minute")),
    ends: ["timed-out", "TOOL_TIMEOUT"],
    act: "wait a minute",
  })),
  waiting((reach) => ({
    name: "an abort from outside",
    moment: "before",
    tool: fine,
    guard: () => Effect.andThen(reach, Effect.never),
    ends: ["interrupted-before-start", "ABORTED_BEFORE_START"],
    act: "abort",
  })),
  waiting((reach) => ({
    name: "an abort from outside",
    moment: "during",
    tool: bodied(() => Effect.andThen(reach, Effect.never)),
    ends: ["interrupted", "ABORTED"],
    act: "abort",
  })),
  fault("an abort from outside", "after", fine, ["success"], { act: "abort" }),
  fault(
    "an output of the wrong type",
    "after",
    Tool.defineTool({
      name: "faulty",
      description: "",
      parameters: {},
      output: Schema.Struct({ at: Schema.Finite }),
      run: (): Effect.Effect<{ readonly at: number }> => Effect.succeed(JSON.parse('{"at":"noon"}')),
    }),
    ["failed", "INVALID_TOOL_OUTPUT"],
  ),
  fault(
    "a BigInt",
    "after",
    giving(() => ({ rows: [1n] })),
    ["failed", "INVALID_TOOL_OUTPUT"],
  ),
  fault(
    "a cycle",
    "after",
    giving(() => circle),
    ["failed", "INVALID_TOOL_OUTPUT"],
  ),
  fault(
    "50 MB of text",
    "after",
    giving(() => "0123456789".repeat(5_000_000)),
    ["success"],
  ),
  fault(
    "a process that a signal kills",
    "during",
    bodied(() => promisify(execFile)(process.execPath, ["--eval", kill])),
    ["failed", "SIGKILL"],
  ),
]

export const argsOf = ({ args = "{}" }: Fault): string => args
