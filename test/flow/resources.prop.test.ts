/**
 * Calls name what they touch: those that would disturb each other keep the model's order, the others run side by side.
 * Case: order/results.
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Schema, SchemaGetter, Scope } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { conflict, type Resources } from "../../src/policy/Resources.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { runs } from "../runs.ts"
import { all, services, tell } from "./world.ts"

const pause = (turns: number) => Effect.repeat(Effect.yieldNow, { times: turns })

const name = fc.constantFrom("a", "b", "c", "a*", "*")
const names = fc.array(name, { maxLength: 2 })
const call = fc.record({
  reads: names,
  writes: names,
  turns: fc.nat(6),
  /** Wrong arguments are refused and never plan; a tool that throws, or names junk, touches everything. */
  kind: fc.constantFrom("work", "work", "work", "work", "wrong", "unknown", "throws", "junk"),
})
type Call = typeof call extends fc.Arbitrary<infer C> ? C : never

const plan = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 6 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  abortAfter: fc.option(fc.nat(30), { nil: undefined }),
  disposes: fc.boolean(),
})

interface Run {
  readonly at: number
  readonly what: "begin" | "end"
}

/** Bodies write down when they begin and when they end, in whatever way. */
const makeTools = (runs: Array<Run>) => {
  const parameters = {
    at: { type: "integer", required: true },
    turns: { type: "integer", required: true },
    reads: { type: "array", items: { type: "string" }, required: true },
    writes: { type: "array", items: { type: "string" }, required: true },
  } as const
  const body = (at: number, turns: number) =>
    Effect.ensuring(
      Effect.andThen(
        Effect.sync(() => runs.push({ at, what: "begin" })),
        pause(turns),
      ),
      Effect.sync(() => runs.push({ at, what: "end" })),
    )
  return Toolbox.make(
    defineTool({
      name: "work",
      description: "Take some turns of the scheduler",
      parameters,
      resources: ({ reads, writes }) => ({ reads, writes }),
      run: ({ at, turns }) => body(at, turns),
    }),
    defineTool({
      name: "throws",
      description: "Not know what it touches",
      parameters,
      resources: () => {
        throw new Error("a bug in naming")
      },
      run: ({ at, turns }) => body(at, turns),
    }),
    defineTool({
      name: "junk",
      description: "Name what is no resource",
      parameters,
      resources: ({ at }) => junk[at % junk.length] as Resources,
      run: ({ at, turns }) => body(at, turns),
    }),
  )
}

/** What a tool without types may name. */
const junk: ReadonlyArray<unknown> = [
  { writes: [undefined] },
  null,
  "a",
  new Set(["a"]),
  Promise.resolve({}),
  7,
  {
    get reads(): never {
      throw new Error("no")
    },
  },
]

const touched = ({ kind, reads, writes }: Call): Resources =>
  kind === "throws" || kind === "junk" ? { writes: ["*"] } : { reads, writes }

const scripted = (calls: ReadonlyArray<Call>) =>
  calls.map(({ kind, reads, writes, turns }, at) => ({
    id: `c${at}`,
    name: kind === "wrong" ? "work" : kind,
    arguments: kind === "wrong" ? "{}" : JSON.stringify({ at, turns, reads, writes }),
  }))

const live = ({
  calls,
  concurrency,
  abortAfter,
  disposes,
}: typeof plan extends fc.Arbitrary<infer P> ? P : never) =>
  Effect.gen(function* () {
    const runs: Array<Run> = []
    const session = yield* SessionLog.create()
    const scope = yield* Scope.make()
    const agent = yield* Scope.provide(Agent.make({ session, tools: makeTools(runs), concurrency }), scope)
    yield* agent.send("go")
    if (abortAfter !== undefined) {
      yield* pause(abortAfter)
      yield* disposes ? Scope.close(scope, Exit.void) : agent.abort()
    }
    yield* agent.awaitIdle
    yield* Scope.close(scope, Exit.void)
    return { session, runs }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      services(ScriptedModel.make({ steps: [{ calls: scripted(calls) }, { text: "done" }] }).model),
    ),
  )

const judge = (calls: ReadonlyArray<Call>, runs: ReadonlyArray<Run>, session: Session, isWhole: boolean) => {
  expect(verify(session.log())).toEqual([])
  expect(all(session, "tool/result")).toHaveLength(isWhole ? calls.length : all(session, "tool/call").length)
  const place = (at: number, what: Run["what"]) => runs.findIndex((run) => run.at === at && run.what === what)
  for (const [later, right] of calls.entries()) {
    for (const [earlier, left] of calls.slice(0, later).entries()) {
      if (
        !conflict(touched(left), touched(right)) ||
        place(later, "begin") < 0 ||
        place(earlier, "begin") < 0
      )
        continue
      expect([earlier, later, place(earlier, "end") < place(later, "begin")]).toEqual([earlier, later, true])
    }
  }
}

describe("calls that name what they touch", () => {
  it("never overlap when they conflict, keep the model's order, and all end, whatever is aborted when", () =>
    fc.assert(
      fc.asyncProperty(plan, async (chosen) => {
        const { session, runs } = await Effect.runPromise(live(chosen))
        judge(chosen.calls, runs, session, chosen.abortAfter === undefined)
        if (chosen.abortAfter !== undefined) return
        const bodies = chosen.calls.filter(({ kind }) => kind !== "wrong" && kind !== "unknown").length
        expect(runs.filter(({ what }) => what === "end")).toHaveLength(bodies)
        const read = session.messages().findLast(({ role }) => role === "tool")?.content
        expect(read?.map((block) => "callId" in block && block.callId)).toEqual(
          chosen.calls.map((_, at) => `c${at}`),
        )
      }),
      { numRuns: runs(200) },
    ))

  it("overlap when they do not conflict, as far as there are slots", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.boolean(), async (size, areReaders) => {
        const everybody = Deferred.makeUnsafe<void>()
        let inside = 0
        const meet = defineTool({
          name: "meet",
          description: "Wait until all are here",
          parameters: { at: { type: "integer", required: true } },
          resources: ({ at }) => (areReaders ? { reads: ["room"] } : { writes: [`seat ${at}`] }),
          run: () =>
            Effect.suspend(() => {
              inside++
              if (inside === size) Deferred.doneUnsafe(everybody, Effect.void)
              return Deferred.await(everybody)
            }),
        })
        const calls = Array.from({ length: size }, (_, at) => ({ name: "meet", arguments: `{"at":${at}}` }))
        const story = tell(
          [{ calls }, { text: "done" }],
          { tools: Toolbox.make(meet), concurrency: size },
          ({ agent }) => agent.prompt("go"),
        )
        expect((await Effect.runPromise(story)).reason.kind).toBe("completed")
      }),
      { numRuns: runs(30) },
    ))

  it.effect("are logged one after the other when they conflict", () => {
    const started = Deferred.makeUnsafe<void>()
    const ran: Array<string> = []
    const write = (tool: string, wait: Effect.Effect<void>) =>
      defineTool({
        name: tool,
        description: "Write",
        parameters: {},
        resources: () => ({ writes: ["file"] }),
        run: () =>
          Effect.andThen(
            Effect.andThen(Deferred.succeed(started, undefined), wait),
            Effect.sync(() => ran.push(tool)),
          ),
      })
    const calls = [
      { id: "c1", name: "slow", arguments: "{}" },
      { id: "c2", name: "fast", arguments: "{}" },
    ]
    return tell(
      [{ calls }, { text: "done" }],
      { tools: Toolbox.make(write("slow", pause(20)), write("fast", Effect.void)) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.prompt("go")
          expect(ran).toEqual(["slow", "fast"])
          const order = session
            .log()
            .flatMap(({ type, data }) =>
              type === "tool/call" || type === "tool/result" ? [`${type} ${data.callId}`] : [],
            )
          expect(order).toEqual(["tool/call c1", "tool/result c1", "tool/call c2", "tool/result c2"])
        }),
    )
  })

  it.effect(
    "keep the model's order also when the first is still being read as the second could start",
    () => {
      const ran: Array<string> = []
      const slowly = Schema.String.pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.transformEffect((word: string) => Effect.as(pause(20), word)),
          encode: SchemaGetter.passthrough(),
        }),
      )
      const write = <const S extends Schema.Codec<string, string>>(tool: string, word: S) =>
        defineTool({
          name: tool,
          description: "Write",
          parameters: Schema.Struct({ word }),
          resources: () => ({ writes: ["file"] }),
          run: () => Effect.sync(() => ran.push(tool)),
        })
      const calls = ["slow", "fast"].map((tool) => ({ name: tool, arguments: '{"word":"a"}' }))
      return tell(
        [{ calls }, { text: "done" }],
        { tools: Toolbox.make(write("slow", slowly), write("fast", Schema.String)) },
        ({ agent }) => Effect.map(agent.prompt("go"), () => expect(ran).toEqual(["slow", "fast"])),
      )
    },
  )
})
