/**
 * The whole kind of what neighbours lose: a turn with calls, steering and an abort, its process dead after any event.
 *
 * bug-046, bug-048 (pairing), bug-081 (steer/lost), bug-083, bug-085 (status), bug-086 (events/unpaired).
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { afterAll, describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import type { Message } from "../../src/message/Message.ts"
import type { Step } from "../../src/model/ScriptedModel.ts"
import { replay } from "../../src/replay/Replay.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { tell } from "../flow/world.ts"
import { isLong, report } from "../store/scale.ts"
import { resume } from "./cutLog.ts"

/** `safe` is idempotent, `once` is not, `bad` dies; each run is written down by its call. */
const makeTools = () => {
  const runs: Array<string> = []
  const body =
    (name: string) =>
    (_: object, { callId }: { readonly callId: string }) =>
      Effect.suspend(() => {
        runs.push(`${name} ${callId}`)
        return name === "bad" ? Effect.die(new Error("a bug")) : Effect.succeed(`${name} is done`)
      })
  const tool = (name: string, idempotent: boolean) =>
    defineTool({ name, description: name, parameters: {}, idempotent, run: body(name) })
  return { tools: Toolbox.make(tool("safe", true), tool("once", false), tool("bad", false)), runs }
}

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc
  .array(fc.array(fc.constantFrom("safe", "once", "bad", "gone"), { maxLength: 3 }), { maxLength: 3 })
  .map((turns) => [
    ...turns.map((names, at) => ({
      text: `step ${at}`,
      calls: names.map((name, n) => ({ id: `c${at}${n}`, name, arguments: "{}" })),
    })),
    { text: "done" },
  ])

interface Plan {
  readonly steps: ReadonlyArray<Step>
  /** Of the event after which it comes; absent = never. */
  readonly steerAt: number | undefined
  readonly abortAt: number | undefined
}

const plan: fc.Arbitrary<Plan> = fc.record({
  steps,
  steerAt: fc.option(fc.integer({ min: 3, max: 30 }), { nil: undefined }),
  abortAt: fc.option(fc.integer({ min: 3, max: 40 }), { nil: undefined }),
})

/** The log of the process, had it lived. */
const play = ({ steps: said, steerAt, abortAt }: Plan) => {
  const { tools } = makeTools()
  return tell(said, { tools }, ({ agent, session }) =>
    Effect.gen(function* () {
      session.subscribe(({ seq }) => {
        if (seq === steerAt) Effect.runFork(agent.steer("use B", { messageId: "s" }))
        if (seq === abortAt) Effect.runFork(agent.abort("enough"))
      })
      yield* agent.prompt("go", { messageId: "m" })
      yield* agent.awaitIdle
      return session.log()
    }),
  )
}

const messageIds = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<string> =>
  log.flatMap(({ type, data }) =>
    type.endsWith("/message") && "messageId" in Object(data) ? [Object(data).messageId] : [],
  )

const claimsIn = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<string> =>
  log.flatMap((event) =>
    event.type === "turn/start" || event.type === "step/start" ? event.data.claims : [],
  )

/** What every provider asks of a history: a call is followed by its result, in the next message, and nothing else is. */
const isPaired = (messages: ReadonlyArray<Message>): boolean =>
  messages.every((message, at) => {
    const next = messages[at + 1]
    if (message.role === "tool") return messages[at - 1]?.role === "assistant"
    const calls =
      message.role === "assistant" ? message.content.filter(({ type }) => type === "tool-call") : []
    return calls.length === 0 || (next?.role === "tool" && next.content.length === calls.length)
  })

const countOf = (log: ReadonlyArray<SessionEvent>, type: SessionEvent["type"]): number =>
  log.filter((event) => event.type === type).length

/** Go on after the first `cut` events, say one thing more, and look at everything. */
const goOn = (log: ReadonlyArray<SessionEvent>, cut: number) => {
  const { tools, runs } = makeTools()
  const before = log.slice(0, cut)
  const started = before.flatMap((event) =>
    event.type === "tool/call" && event.data.starts !== false ? [event.data.callId] : [],
  )
  return resume(before, [{ text: "over" }], { tools }, ({ agent, session, requests }) =>
    Effect.gen(function* () {
      const result = yield* agent.resumed
      const last = before.findLast(({ type }) => type === "turn/start" || type === "turn/abort")
      const isAborted = last?.type === "turn/abort"
      if (result !== undefined) expect(result.reason.kind).toBe(isAborted ? "aborted" : "completed")
      yield* agent.prompt("and now?", { messageId: "last" })
      yield* agent.awaitIdle
      const after = session.log()
      expect(session.status()).toBe("idle")
      expect(after.slice(0, cut)).toEqual(before)
      expect(countOf(after, "turn/start")).toBe(countOf(after, "turn/end"))
      // No accepted message is lost, and none is delivered twice.
      expect([...claimsIn(after)].sort()).toEqual([...messageIds(after)].sort())
      expect(requests().filter(({ messages }) => !isPaired(messages))).toEqual([])
      expect(replay(after).differences).toEqual([])
      // Nothing that had started is run again, but what is idempotent.
      expect(
        runs.filter((run) => started.some((callId) => run === `once ${callId}` || run === `bad ${callId}`)),
      ).toEqual([])
    }),
  )
}

let stories = 0
let cuts = 0
afterAll(() => report(`cut after every event: ${stories} turns, ${cuts} resumes`))

describe("a process that dies after any event of a turn with calls, steering and an abort", () => {
  it.effect(
    "leaves a log that the next one goes on with: nothing lost, nothing twice, every request valid",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plan, (drawn) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const log = yield* play(drawn)
                for (let cut = 2; cut <= log.length; cut++) yield* goOn(log, cut)
                stories += 1
                cuts += log.length - 1
              }),
            ),
          ),
          { numRuns: isLong ? 300 : 12 },
        ),
      ),
    300_000,
  )
})
