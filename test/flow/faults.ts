/**
 * Every way in which one call can go wrong, as tools and guards that do so, at every moment.
 *
 * In:  nothing.      Out: `faults`, one a row of the matrix; for each moment a cell, or why there is none.
 * Not here: what must hold whatever went wrong (`faultMatrix.test.ts`).
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { runInNewContext } from "node:vm"
import { Deferred, Effect, Schema } from "effect"
import type { Outcome } from "../../src/message/ToolResult.ts"
import type * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import type { Resources } from "../../src/policy/Resources.ts"
import * as Tool from "../../src/tool/Tool.ts"

/** Before the body, where a guard goes wrong in the same way; as the body starts; after it has waited, or is done. */
export const moments = ["before", "during", "after"] as const
export type Moment = (typeof moments)[number]

export interface Fault {
  readonly tool: Tool.Tool<"faulty", never, unknown, unknown, never>
  readonly args?: string
  /** Asked about the faulty call alone. */
  readonly guard?: Guard.Guard
  readonly approver?: Approver.Approver
  /** Outcome and code. */
  readonly ends: readonly [Outcome, code?: string]
  /** What has to happen in the world once the fault has been `reached`. */
  readonly act?: "abort" | "wait a minute"
  readonly reached?: Effect.Effect<void>
}

/** Why a fault has no such moment. */
export type Why =
  | "arguments are read once, before the body"
  | "a guard is asked once, before the body"
  | "what a call touches is named once, before the body"

export interface Row {
  readonly name: string
  readonly cells: Readonly<Record<Moment, Fault | Why>>
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

const denied = (guard: Guard.Guard, more: Partial<Fault> = {}): Fault => ({
  tool: fine,
  guard,
  ends: ["denied", "TOOL_DENIED"],
  ...more,
})

/** A guard that has no types may give anything. */
const giving = (verdict: unknown): Guard.Guard =>
  (() => Effect.succeed(verdict)) as () => Effect.Effect<never>

const onlyBefore = (name: string, before: Fault, why: Why): Row => ({
  name,
  cells: { before, during: why, after: why },
})

const refused = (name: string, guard: Guard.Guard): Row =>
  onlyBefore(name, denied(guard), "a guard is asked once, before the body")

const misread = (name: string, args: string, code: string): Row =>
  onlyBefore(
    name,
    { tool: strict, args, ends: ["rejected", code] },
    "arguments are read once, before the body",
  )

/** A tool without types may name anything; its call waits for all that name something, and runs. */
const naming = (name: string, named: () => unknown): Row =>
  onlyBefore(
    `resources that are ${name}`,
    {
      tool: Tool.defineTool({
        name: "faulty",
        description: "Names junk",
        parameters: {},
        resources: () => named() as Resources,
        run: () => Effect.succeed("fine"),
      }),
      ends: ["success"],
    },
    "what a call touches is named once, before the body",
  )

/** An Effect that ends badly: that of a guard, that of a body, and that of a body which has waited. */
const ending = (name: string, bad: Effect.Effect<never, unknown>, ends: Fault["ends"]): Row => ({
  name,
  cells: {
    before: denied(() => bad),
    during: { tool: bodied(() => bad), ends },
    after: { tool: bodied(() => Effect.andThen(Effect.yieldNow, bad)), ends },
  },
})

const dying = (name: string, thrown: () => unknown): Row => {
  const raise = (): Effect.Effect<never> => {
    throw thrown()
  }
  const ends = ["defect", "TOOL_DEFECT"] as const
  return {
    name,
    cells: {
      before: denied(raise),
      during: { tool: bodied(raise), ends },
      after: { tool: bodied(() => Effect.andThen(Effect.yieldNow, Effect.suspend(raise))), ends },
    },
  }
}

/** An output that a result cannot hold as it is; as a verdict it is none. */
const outputting = (
  name: string,
  output: () => unknown,
  {
    tool = bodied,
    ends,
    verdict = output(),
  }: {
    readonly tool?: (run: () => Effect.Effect<unknown>) => Fault["tool"]
    readonly ends: Fault["ends"]
    readonly verdict?: unknown
  },
): Row => ({
  name,
  cells: {
    before: denied(giving(verdict)),
    during: { tool: tool(() => Effect.sync(output)), ends },
    after: { tool: tool(() => Effect.andThen(Effect.yieldNow, Effect.sync(output))), ends },
  },
})

const timed = (run: () => Effect.Effect<unknown>) =>
  Tool.defineTool({
    name: "faulty",
    description: "Gives a time",
    parameters: {},
    output: Schema.Struct({ at: Schema.Finite }),
    // What it gives is not what it says it gives.
    run: () => run() as Effect.Effect<{ readonly at: number }>,
  })

/** A fault that says when the world may go on. */
const waiting = (make: (reach: Effect.Effect<void>) => Fault): Fault => {
  const mark = Deferred.makeUnsafe<void>()
  return { ...make(Effect.asVoid(Deferred.succeed(mark, undefined))), reached: Deferred.await(mark) }
}

const hang = (): Row => ({
  name: "a hang",
  cells: {
    before: waiting((reach) =>
      denied(() => Effect.succeed(Guard.ask("it costs")), {
        approver: () => Effect.andThen(reach, Effect.never),
        act: "wait a minute",
      }),
    ),
    during: waiting((reach) => ({
      tool: bodied(() => Effect.andThen(reach, Effect.never)).pipe(Tool.timeout("1 minute")),
      ends: ["timed-out", "TOOL_TIMEOUT"],
      act: "wait a minute",
    })),
    after: waiting((reach) => ({
      tool: bodied(async () => {
        await Promise.resolve()
        await Effect.runPromise(reach)
        return new Promise(() => {})
      }).pipe(Tool.timeout("1 minute")),
      ends: ["timed-out", "TOOL_TIMEOUT"],
      act: "wait a minute",
    })),
  },
})

const abort = (): Row => ({
  name: "an abort from outside",
  cells: {
    before: waiting((reach) => ({
      tool: fine,
      guard: () => Effect.andThen(reach, Effect.never),
      ends: ["interrupted-before-start", "ABORTED_BEFORE_START"],
      act: "abort",
    })),
    during: waiting((reach) => ({
      tool: bodied(() => Effect.andThen(reach, Effect.never)),
      ends: ["interrupted", "ABORTED"],
      act: "abort",
    })),
    after: { tool: fine, ends: ["success"], act: "abort" },
  },
})

const foreign = (): unknown => runInNewContext("Object.assign(new Error('x'), { code: 'EACCES' })")
const kill = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, ["--eval", "process.kill(process.pid, 'SIGKILL')"])
const rejected = (reason: unknown): Effect.Effect<never> => Effect.promise(() => Promise.reject(reason))
const notWhatItMustBe = ["failed", "INVALID_TOOL_OUTPUT"] as const
const long = "0123456789".repeat(5_000_000)

/** Made anew for each company: some of them wait for a mark that is set once. */
export const faults = (): ReadonlyArray<Row> => [
  misread("arguments that are no JSON", '{"count":', "ARGS_NOT_JSON"),
  misread("wrong arguments", '{"count":"1"}', "INVALID_ARGS"),
  refused("a deny", () => Effect.succeed(Guard.deny("not here"))),
  refused("an ask without an answer", () => Effect.succeed(Guard.ask("costs money"))),
  refused("a guard that fails", () => Effect.fail("offline")),
  ending("a typed failure", Effect.fail(new NoSuchRow({ key: "k" })), ["failed", "NO_SUCH_ROW"]),
  ending("a failure of nothing", Effect.fail(undefined), ["failed", "TOOL_FAILED"]),
  ending(
    "a failure of another realm",
    Effect.suspend(() => Effect.fail(foreign())),
    ["failed", "EACCES"],
  ),
  dying("a thrown Error", () => new TypeError("x is not a function")),
  dying("a thrown string", () => "boom"),
  dying("a thrown undefined", () => undefined),
  dying("a thrown Error of another realm", foreign),
  {
    name: "a rejected promise",
    cells: {
      before: denied(() => rejected(new Error("no"))),
      during: { tool: bodied(() => Promise.reject(new Error("no"))), ends: ["failed", "TOOL_FAILED"] },
      after: {
        tool: bodied(() => Promise.resolve().then(() => Promise.reject(foreign()))),
        ends: ["failed", "EACCES"],
      },
    },
  },
  hang(),
  ending("a self-interruption", Effect.interrupt, ["interrupted", "STOPPED_ITSELF"]),
  abort(),
  outputting("an output of the wrong type", () => ({ at: "noon" }), { tool: timed, ends: notWhatItMustBe }),
  outputting("a BigInt", () => ({ rows: [1n] }), { ends: notWhatItMustBe }),
  outputting("a cycle", () => circle, { ends: notWhatItMustBe }),
  outputting("50 MB of text", () => long, { ends: ["success"], verdict: Guard.deny(long) }),
  outputting("JSON longer than a string can be", () => Array(12).fill(long), {
    ends: notWhatItMustBe,
    verdict: undefined,
  }),
  naming("null", () => null),
  naming("a list with undefined", () => ({ writes: [undefined] })),
  naming("a promise that rejects", () => Promise.reject(new Error("no"))),
  naming("a getter that throws", () => ({
    get reads(): never {
      throw new Error("no")
    },
  })),
  {
    name: "a process that a signal kills",
    cells: {
      before: denied(() => Effect.as(Effect.tryPromise(kill), Guard.allow)),
      during: { tool: bodied(kill), ends: ["failed", "SIGKILL"] },
      after: { tool: bodied(() => Promise.resolve().then(kill)), ends: ["failed", "SIGKILL"] },
    },
  },
]

export const argsOf = ({ args = "{}" }: Fault): string => args
