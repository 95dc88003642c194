/** A process dies in the middle of a turn; the next one goes on with it. */
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import type { CoreType, Payload, SessionEvent } from "../../src/event/SessionEvent.ts"
import { Approver } from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Recovered from "../../src/tool/Recovered.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { type Resumed, resume, through } from "../recovery/cutLog.ts"
import { type Step, tell } from "./world.ts"

const of = <T extends CoreType>(log: ReadonlyArray<SessionEvent>, type: T): ReadonlyArray<Payload<T>> =>
  log.flatMap((event) => (isOf(event, type) ? [event.data] : []))

const isOf = <T extends CoreType>(
  event: SessionEvent,
  type: T,
): event is Extract<SessionEvent, { readonly type: T }> & { readonly data: Payload<T> } => event.type === type

/** A box with `pay`, `look` and what they were run with; `look` may be run twice, `pay` may not. */
const makeTools = (recover?: () => Effect.Effect<Recovered.Recovered<string>>) => {
  const runs: Array<string> = []
  const body = (name: string) => (args: { readonly n: number }, call: { readonly key: string }) =>
    Effect.sync(() => {
      runs.push(`${name} ${args.n} ${call.key.slice(0, 8)}`)
      return `${name} ${args.n}`
    })
  const parameters = { n: { type: "integer", required: true } } as const
  const pay = defineTool({
    name: "pay",
    description: "Pay",
    parameters,
    run: body("pay"),
    ...(recover !== undefined && { recover }),
  })
  const look = defineTool({
    name: "look",
    description: "Look",
    parameters,
    idempotent: true,
    run: body("look"),
  })
  return { tools: Toolbox.make(pay, look), runs }
}

const calls = [
  { id: "p", name: "pay", arguments: '{"n":1}' },
  { id: "l", name: "look", arguments: '{"n":2}' },
]
const steps: ReadonlyArray<Step> = [{ text: "I will.", calls }, { text: "done" }]
const rest: ReadonlyArray<Step> = [{ text: "done after all" }]

/** The log of the process that died, had it lived. */
const whole = Effect.suspend(() =>
  tell(steps, { tools: makeTools().tools, concurrency: 1 }, ({ agent, session }) =>
    Effect.map(agent.prompt("go", { messageId: "m1" }), () => session.log()),
  ),
)

const finish = ({ agent, added, session, requests }: Resumed) =>
  Effect.map(agent.resumed, (result) => ({
    result,
    added: added(),
    session,
    requests: requests(),
    results: of(added(), "tool/result"),
  }))

describe("a turn that a dead process left open", () => {
  it.effect("goes on while the model spoke: half an answer stays out, and the model is asked again", () =>
    Effect.gen(function* () {
      const log = yield* whole
      const { tools, runs } = makeTools()
      const told = yield* resume(through(log, "assistant/chunk", 2), rest, { tools }, finish)
      expect(told.added.slice(0, 3).map(({ type }) => type)).toEqual([
        ...["session/resume", "step/end", "step/start"],
      ])
      expect(told.result).toMatchObject({ turn: 1, text: "done after all", reason: { kind: "completed" } })
      expect(told.requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([["user"]])
      expect(runs).toEqual([])
    }),
  )

  it.effect("tells the model that calls which nothing had started were not started", () =>
    Effect.gen(function* () {
      const log = yield* whole
      const { tools, runs } = makeTools()
      const { results } = yield* resume(through(log, "assistant/message"), rest, { tools }, finish)
      expect(results.map(({ callId, outcome }) => [callId, outcome])).toEqual([
        ["p", "not-started"],
        ["l", "not-started"],
      ])
      expect(runs).toEqual([])
    }),
  )

  // bug-048: in a parallel batch, only what has no result is repaired.
  it.effect("keeps the results there are, and runs a call again that is idempotent, under its key", () =>
    Effect.gen(function* () {
      const log = yield* whole
      const { tools, runs } = makeTools()
      const cut = through(log, "tool/call", 1)
      const told = yield* resume(cut, rest, { tools }, finish)
      const key = of(cut, "tool/call").find(({ callId }) => callId === "l")?.key ?? ""
      expect(of(told.added, "session/resume")).toEqual([{ epoch: 1, reruns: ["l"] }])
      expect(of(told.added, "tool/call")).toEqual([])
      expect(told.results).toMatchObject([{ callId: "l", outcome: "success", recovered: true }])
      expect(runs).toEqual([`look 2 ${key.slice(0, 8)}`])
      expect(told.requests[0]?.messages.at(-1)).toMatchObject({
        role: "tool",
        content: [
          { callId: "p", isError: false },
          { callId: "l", isError: false },
        ],
      })
    }),
  )

  it.effect("logs each failed run of a call that is run again", () =>
    Effect.gen(function* () {
      let runs = 0
      const look = defineTool({
        name: "look",
        description: "Look",
        parameters: { n: { type: "integer", required: true } },
        idempotent: true,
        run: () =>
          Effect.suspend(() =>
            runs++ === 0 ? Effect.fail({ _tag: "TooDark" as const }) : Effect.succeed("seen"),
          ),
      })
      const tools = Toolbox.make(look.pipe(Tool.retry({ times: 1 })))
      const { added, results } = yield* resume(through(yield* whole, "tool/call", 1), rest, { tools }, finish)
      expect(of(added, "error")).toMatchObject([
        { turn: 1, step: 1, code: "TOO_DARK", message: expect.stringContaining("look (l), run 1") },
      ])
      expect(results).toMatchObject([{ callId: "l", outcome: "success", attempts: 2 }])
    }),
  )

  it.effect("does not run a call again that is not idempotent: its outcome is unknown", () =>
    Effect.gen(function* () {
      const log = yield* whole
      const { tools, runs } = makeTools()
      const { results } = yield* resume(through(log, "tool/call", 0), rest, { tools }, finish)
      expect(results.map(({ callId, outcome }) => [callId, outcome])).toEqual([
        ["p", "outcome-unknown"],
        ["l", "not-started"],
      ])
      expect(runs).toEqual([])
    }),
  )

  it.effect(
    "says why a call is not run again: its tool is gone, its arguments no longer fit, a guard denies",
    () =>
      Effect.gen(function* () {
        const cut = through(yield* whole, "tool/call", 1)
        const wants = defineTool({
          name: "look",
          description: "Look",
          parameters: { where: { type: "string", required: true } },
          idempotent: true,
          run: () => Effect.succeed("seen"),
        })
        const deny = Guard.layer(() => Effect.succeed(Guard.deny("closed")))
        const why = (told: { readonly results: ReadonlyArray<Payload<"tool/result">> }) =>
          told.results.map(({ outcome, content }) => [
            outcome,
            content[0]?.type === "text" && content[0].text,
          ])
        const gone = yield* resume(cut, rest, { tools: Toolbox.empty }, finish)
        const changed = yield* resume(cut, rest, { tools: Toolbox.make(wants) }, finish)
        const denied = yield* Effect.provide(resume(cut, rest, { tools: makeTools().tools }, finish), deny)
        expect(why(gone)).toEqual([["outcome-unknown", expect.stringContaining("no such tool")]])
        expect(why(changed)).toEqual([["outcome-unknown", expect.stringContaining("not accepted any more")]])
        expect(why(denied)).toEqual([["outcome-unknown", expect.stringContaining("may not be run again")]])
      }),
  )

  it.effect("asks the tool itself what became of the call, when its author gave a way", () =>
    Effect.gen(function* () {
      const cut = through(yield* whole, "tool/call", 0)
      const ask = (found: Recovered.Recovered<string>) => {
        const { tools, runs } = makeTools(() => Effect.succeed(found))
        return Effect.map(resume(cut, rest, { tools }, finish), ({ results }) => ({
          result: results[0],
          runs,
        }))
      }
      expect(yield* ask(Recovered.done("paid, as I see"))).toMatchObject({
        result: { outcome: "success", recovered: true, content: [{ text: "paid, as I see" }] },
        runs: [],
      })
      expect(yield* ask(Recovered.notDone)).toMatchObject({ result: { outcome: "interrupted" }, runs: [] })
      expect(yield* ask(Recovered.unknown)).toMatchObject({
        result: { outcome: "outcome-unknown" },
        runs: [],
      })
    }),
  )

  it.effect("is closed, not gone on with, when an abort was accepted", () =>
    Effect.gen(function* () {
      const log = yield* whole
      const cut = through(log, "tool/call", 1)
      const abort = { turn: 1, reason: "stop" }
      const aborted = [...cut, { seq: cut.length, at: 0, type: "turn/abort", data: abort } as const]
      const { tools, runs } = makeTools()
      const { result, added } = yield* resume(aborted, rest, { tools }, finish)
      expect(result?.reason).toEqual({ kind: "aborted" })
      expect(added.map(({ type }) => type)).toEqual(["tool/result", "step/end", "turn/end"])
      expect(runs).toEqual([])
    }),
  )

  it.effect("completes when only its end was missing, unless steering came meanwhile", () =>
    Effect.gen(function* () {
      const cut = through(yield* whole, "step/end", 1)
      const { tools } = makeTools()
      const plain = yield* resume(cut, [], { tools }, finish)
      expect(plain.added.map(({ type }) => type)).toEqual(["session/resume", "turn/end"])
      expect(plain.result).toMatchObject({ text: "done", steps: 2, reason: { kind: "completed" } })
      const steer = { messageId: "s", content: [{ type: "text", text: "and B" }], source: "user" } as const
      const steered = [...cut, { seq: cut.length, at: 0, type: "steering/message", data: steer } as const]
      const told = yield* resume(steered, rest, { tools }, finish)
      expect(of(told.added, "step/start").map(({ claims }) => claims)).toEqual([["s"]])
      expect(told.result).toMatchObject({ text: "done after all", steps: 3 })
    }),
  )

  it.effect(
    "runs a call again twice, then says that its outcome is unknown; is resumed three times, then closed",
    () =>
      Effect.gen(function* () {
        let log: ReadonlyArray<SessionEvent> = through(yield* whole, "tool/call", 1)
        const reruns: Array<ReadonlyArray<string>> = []
        const { tools } = makeTools()
        for (const _ of [1, 2, 3]) {
          const { added } = yield* resume(log, rest, { tools }, finish)
          const record = of(added, "session/resume")[0]
          reruns.push(record?.reruns ?? [])
          // Die again before the result is written.
          log = [...log, ...added.slice(0, 1)]
        }
        expect(reruns).toEqual([["l"], ["l"], []])
        const { result, added } = yield* resume(log, rest, { tools }, finish)
        expect(result?.reason).toMatchObject({ kind: "interrupted", code: "RESUME_LIMIT" })
        expect(of(added, "session/resume")).toEqual([])
        expect(of(added, "tool/result")).toMatchObject([{ callId: "l", outcome: "outcome-unknown" }])
      }),
  )

  it.effect(
    "says that the outcome is unknown when the call is refused after all: the first run may have done it",
    () =>
      Effect.gen(function* () {
        const cut = through(yield* whole, "tool/call", 1)
        const { tools, runs } = makeTools()
        let judged = 0
        const closing = Guard.layer(({ tool }) =>
          Effect.sync(() => (tool === "look" && ++judged > 1 ? Guard.deny("closed by now") : Guard.allow)),
        )
        const { added } = yield* Effect.provide(resume(cut, rest, { tools }, finish), closing)
        expect(of(added, "session/resume")).toMatchObject([{ reruns: ["l"] }])
        expect(of(added, "tool/result")).toMatchObject([
          { callId: "l", outcome: "outcome-unknown", recovered: true },
        ])
        expect(runs).toEqual([])
      }),
  )

  it.effect("answers a prompt that is sent again under its id, with the end of the same turn", () =>
    Effect.gen(function* () {
      const cut = through(yield* whole, "step/end", 0)
      const { tools } = makeTools()
      const told = yield* resume(cut, rest, { tools }, ({ agent, session }) =>
        Effect.map(agent.prompt("go", { messageId: "m1" }), (result) => ({ result, log: session.log() })),
      )
      expect(told.result).toMatchObject({ turn: 1, text: "done after all", steps: 2 })
      expect(of(told.log, "user/message")).toHaveLength(1)
    }),
  )
})

describe("an approval that a dead process had asked for", () => {
  const asking = Guard.layer(({ tool }) => Effect.succeed(tool === "pay" ? Guard.ask("money") : Guard.allow))
  const approving = (questions: Array<string>) =>
    Layer.succeed(Approver, ({ callId }) =>
      Effect.sync(() => {
        questions.push(callId)
        return { _tag: "allow", by: "Ada" } as const
      }),
    )
  const asked = Effect.suspend(() =>
    tell(
      [{ calls: calls.slice(0, 1) }, { text: "done" }],
      { tools: makeTools().tools },
      ({ agent, session }) => Effect.map(agent.prompt("go"), () => session.log()),
    ).pipe(Effect.provide([asking, approving([])])),
  )

  it.effect("is asked again when nobody had decided", () =>
    Effect.gen(function* () {
      const cut = through(yield* asked, "approval/asked")
      const questions: Array<string> = []
      const { tools, runs } = makeTools()
      const told = yield* Effect.provide(resume(cut, rest, { tools }, finish), [asking, approving(questions)])
      expect(questions).toEqual(["p"])
      expect(runs).toHaveLength(1)
      expect(told.results).toMatchObject([{ outcome: "success" }])
    }),
  )

  it.effect("counts once when it was decided, without a second question", () =>
    Effect.gen(function* () {
      const cut = through(yield* asked, "approval/decided")
      const questions: Array<string> = []
      const { tools, runs } = makeTools()
      const told = yield* Effect.provide(resume(cut, rest, { tools }, finish), [asking, approving(questions)])
      expect(questions).toEqual([])
      expect(runs).toHaveLength(1)
      expect(of(told.added, "approval/asked")).toEqual([])
      expect(told.results).toMatchObject([{ outcome: "success" }])
    }),
  )

  it.effect.each([
    ["describes it in another way", { n: { type: "integer", required: true, description: "in cents" } }],
    ["takes other arguments", { n: { type: "integer", required: true, minimum: 0 } }],
  ] as const)("is asked again when the tool of today %s: the yes was to another question", ([, parameters]) =>
    Effect.gen(function* () {
      const cut = through(yield* asked, "approval/decided")
      const questions: Array<string> = []
      const pay = defineTool({
        name: "pay",
        description: "Pay",
        parameters,
        run: ({ n }) => Effect.succeed(`paid ${n}`),
      })
      const tools = Toolbox.make(pay)
      const told = yield* Effect.provide(resume(cut, rest, { tools }, finish), [asking, approving(questions)])
      expect(questions).toEqual(["p"])
      const [before] = of(cut, "approval/decided")
      const [again] = of(told.added, "approval/asked")
      expect(again?.digest).not.toBe(before?.digest)
      expect(told.results).toMatchObject([{ outcome: "success" }])
    }),
  )

  it.effect("is asked again when its yes has expired, and may then be denied", () =>
    Effect.gen(function* () {
      const cut = through(yield* asked, "approval/decided")
      const { tools, runs } = makeTools()
      yield* TestClock.adjust("30 days")
      const no = Layer.succeed(Approver, () => Effect.succeed({ _tag: "deny", reason: "too old" } as const))
      const told = yield* Effect.provide(resume(cut, rest, { tools }, finish), [asking, no])
      expect(of(told.added, "approval/asked")).toMatchObject([
        { callId: "p", expiresAt: 30 * 86_400_000 + 600_000 },
      ])
      expect(of(told.added, "approval/decided")).toMatchObject([{ verdict: "deny" }])
      expect(told.results).toMatchObject([{ outcome: "denied" }])
      expect(runs).toEqual([])
    }),
  )

  it.effect("lets a call that had started run again only while its yes counts", () =>
    Effect.gen(function* () {
      const looking = Guard.layer(({ tool }) =>
        Effect.succeed(tool === "look" ? Guard.ask("private") : Guard.allow),
      )
      const log = yield* Effect.provide(whole, [looking, approving([])])
      const cut = through(log, "tool/call", 1)
      const again = Effect.provide(resume(cut, rest, { tools: makeTools().tools }, finish), [
        looking,
        approving([]),
      ])
      expect((yield* again).results).toMatchObject([{ callId: "l", outcome: "success" }])
      yield* TestClock.adjust("30 days")
      expect((yield* again).results).toMatchObject([{ callId: "l", outcome: "outcome-unknown" }])
    }),
  )
})
