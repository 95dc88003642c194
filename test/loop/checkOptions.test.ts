/** Numbers that no agent could work by are refused before anything is written. */
import { it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { describe, expect } from "vitest"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { services } from "../flow/world.ts"

type Given = Partial<Agent.Options<never, never>>

const making = (given: Given) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const exit = yield* Effect.exit(Effect.scoped(Agent.make({ session, tools: Toolbox.empty, ...given })))
    return { exit, types: session.log().map(({ type }) => type) }
  }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps: [] }).model)))

/** As JavaScript gives it. */
const untyped = (given: object): Given => given

const counts = ["concurrency", "modelRetries", "reminders"] as const
const limits = ["steps", "tokens", "repeatedCalls"] as const
const noCounts: ReadonlyArray<unknown> = [-1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY, "3", null]
const noTimes: ReadonlyArray<unknown> = [-1, Number.NaN, "soon", null]

const refused: ReadonlyArray<readonly [string, Given]> = [
  ...counts.flatMap((name) => noCounts.map((given) => [name, untyped({ [name]: given })] as const)),
  ...limits.flatMap((name) =>
    [...noCounts, 0].map((given) => [`limits.${name}`, untyped({ limits: { [name]: given } })] as const),
  ),
  ["concurrency", { concurrency: 0 }],
  ...noTimes.flatMap((given) => [
    ["limits.wallTime", untyped({ limits: { wallTime: given } })] as const,
    ["longestRetryAfter", untyped({ longestRetryAfter: given })] as const,
    ["approvalTimeout", untyped({ approvalTimeout: given })] as const,
  ]),
]

describe("an agent", () => {
  it.effect.each(refused)("dies of a wrong %s", ([name, given]) =>
    Effect.map(making(given), ({ exit, types }) => {
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      expect(defect).toBeInstanceOf(TypeError)
      expect(String(defect)).toContain(`An agent's ${name} must be`)
      expect(types).toEqual(["session/start"])
    }),
  )

  it.effect("takes the least and no limit", () =>
    Effect.forEach(
      [
        { limits: { steps: 1, tokens: 1, repeatedCalls: 1, wallTime: 1 }, concurrency: 1 },
        { modelRetries: 0, reminders: 0, longestRetryAfter: 0, approvalTimeout: "1 millis" },
        {
          limits: { steps: Number.POSITIVE_INFINITY, wallTime: "Infinity" },
          concurrency: Number.POSITIVE_INFINITY,
        },
      ] satisfies ReadonlyArray<Given>,
      (given) => Effect.map(making(given), ({ exit }) => expect(Exit.isSuccess(exit)).toBe(true)),
    ),
  )
})
