/**
 * A body that makes calls by itself, under whatever ids: each call of the model is asked about once, with its own
 * arguments, its answer counts for it alone, and the log is lawful. Cases: ids/borrowed.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { runs } from "../runs.ts"
import { all, tell } from "./world.ts"

const ids = ["c0", "c1", "c2", "c3"]

/** What a body of the model's call does: it makes calls under these ids, of a tool with the name of its own. */
const call = fc.record({
  borrows: fc.array(fc.constantFrom(...ids, "elsewhere"), { maxLength: 3 }),
  isAllowed: fc.boolean(),
})
const plan = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: ids.length }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  /** Whether what bodies ask for is allowed. */
  isAllowedInside: fc.boolean(),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

const inside = Tool.defineTool({
  name: "work",
  description: "What a body calls",
  parameters: { inside: { type: "string", required: true } },
  run: ({ inside }) => Effect.succeed(inside),
})

const work = Tool.defineTool({
  name: "work",
  description: "Make calls under ids that may be those of others",
  parameters: {
    borrows: { type: "array", items: { type: "string" }, required: true },
    n: { type: "integer" },
  },
  run: ({ borrows }) =>
    Effect.forEach(borrows, (callId) =>
      Effect.matchEffect(Tool.run(inside)(JSON.stringify({ inside: callId }), { callId }), {
        onFailure: ({ _tag }) => Effect.succeed(_tag),
        onSuccess: (output) => Effect.as(Effect.yieldNow, output),
      }),
    ),
})

const live = ({ calls, concurrency, isAllowedInside }: Plan) => {
  const questions: Array<Approver.Question> = []
  const made = calls.map(({ borrows }, n) => ({
    id: ids[n] ?? "",
    name: "work",
    arguments: JSON.stringify({ borrows, n }),
  }))
  const digests = made.map((one) => Approver.digest("work", one.arguments, work.fingerprint))
  const approver: Approver.Approver = (question) => {
    questions.push(question)
    const n = digests.indexOf(question.digest ?? "")
    const isAllowed = n < 0 ? isAllowedInside : calls[n]?.isAllowed
    return Effect.as(Effect.yieldNow, isAllowed === true ? Approver.allow : Approver.deny("no"))
  }
  return tell(
    [{ calls: made }, { text: "done" }],
    { tools: Toolbox.make(work), concurrency },
    ({ agent, session }) =>
      Effect.gen(function* () {
        expect((yield* agent.prompt("go")).reason.kind).toBe("completed")
        const asked = all(session, "approval/asked").map(({ callId, digest }) => [callId, digest])
        expect(asked.sort()).toEqual(made.map(({ id }, n) => [id, digests[n]]).sort())
        const ended = all(session, "tool/result").map(({ callId, outcome }) => [callId, outcome])
        expect(ended.sort()).toEqual(
          made.map(({ id }, n) => [id, calls[n]?.isAllowed === true ? "success" : "denied"]).sort(),
        )
        const nested = calls.flatMap(({ borrows, isAllowed }) => (isAllowed ? borrows : []))
        expect(
          questions.flatMap(({ callId, digest }) => (digest === undefined ? [callId] : [])).sort(),
        ).toEqual(nested.sort())
      }),
  ).pipe(Effect.provide([Guard.layer(() => Effect.succeed(Guard.ask("it works"))), Approver.layer(approver)]))
}

it("a call that a body makes never takes the place of a call of the model, whatever id it has", () =>
  fc.assert(
    fc.asyncProperty(plan, (chosen) => Effect.runPromise(Effect.asVoid(live(chosen)))),
    { numRuns: runs(25) },
  ))
