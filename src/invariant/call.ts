/**
 * The rules of the groups call and result: a call is the model's own, and ends in exactly one result.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: ids new in the session and re-runs (`contract/`, always on), what a result says to the model (`tool/`).
 */
import { Broken, type EventOf, type Rule } from "../contract/Rule.ts"
import type { ToolCallBlock } from "../message/Content.ts"
import type { Finish } from "../message/ModelChunk.ts"
import type { Outcome } from "../message/ToolResult.ts"
import { inStep, stateless } from "./inStep.ts"

/** The calls of the step's message; undefined before it. */
type Asked = ReadonlyArray<ToolCallBlock> | undefined

const fromMessage = inStep<Asked, "assistant/message" | "approval/asked" | "tool/call">({
  id: "call.fromMessage",
  statement:
    "A call has the id, the name and the arguments of a block of its step's message; a question is about one, too.",
  hint: "Log the call as the model wrote it; decoded or repaired arguments belong into the result's repairs.",
  on: ["assistant/message", "approval/asked", "tool/call"],
  initial: undefined,
  judge: (asked, event) => {
    if (event.type === "assistant/message") return callsOf(event)
    if (asked === undefined) return asked
    const { callId } = event.data
    const block = asked.find((one) => one.callId === callId)
    if (block === undefined) {
      const what = event.type === "tool/call" ? `call ${callId}` : `call ${callId}, which is asked about,`
      return new Broken(asked, [`${what} is in no block of the message`])
    }
    if (event.type === "approval/asked") return asked
    const { name, arguments: text } = event.data
    if (block.name !== name)
      return new Broken(asked, [`call ${callId} is of ${name}, its block of ${block.name}`])
    if (block.arguments !== text)
      return new Broken(asked, [`call ${callId} has other arguments than its block`])
    return asked
  },
})

const partialNeverRuns = inStep<Finish["kind"] | undefined, "assistant/message" | "tool/call">({
  id: "call.partialNeverRuns",
  statement: "No call runs out of an aborted, failed or cut-off message.",
  hint: "Leave calls out after aborted and error; after max-tokens and refused log them with starts: false and a result.",
  on: ["assistant/message", "tool/call"],
  initial: undefined,
  judge: (finish, event) => {
    if (event.type === "assistant/message") {
      const { kind } = event.data.finish
      if ((kind !== "aborted" && kind !== "error") || callsOf(event).length === 0) return kind
      return new Broken(kind, [`a message that ended with ${kind} holds calls`])
    }
    if (event.data.starts === false) return finish
    if (finish !== "max-tokens" && finish !== "refused") return finish
    return new Broken(finish, [`call ${event.data.callId} starts, but its message ended with ${finish}`])
  },
})

/** Ids in lists: a step has a handful, and hashing one costs more than to compare it with all of them. */
type Ids = ReadonlyArray<string>

interface Answers {
  readonly running: Ids
  readonly done: Ids
}

const paired = inStep<Answers, "tool/call" | "tool/result">({
  id: "result.paired",
  statement: "A result answers one call of the same step that came before it, once.",
  hint: "Write tool/call before the body starts, and its result once, in the same step.",
  on: ["tool/call", "tool/result"],
  initial: { running: [], done: [] },
  judge: (calls, event) => {
    const { running, done } = calls
    const { callId } = event.data
    if (event.type === "tool/call") return { running: [...running, callId], done }
    if (running.includes(callId)) return { running: without(running, callId), done: [...done, callId] }
    const wrong = done.includes(callId)
      ? "is answered a second time"
      : "is answered, but no such call came in this step"
    return new Broken(calls, [`call ${callId} ${wrong}`])
  },
})

const without = (ids: Ids, gone: string): Ids => ids.filter((id) => id !== gone)

const allAtStepEnd = inStep<Ids, "assistant/message" | "tool/result" | "step/end">({
  id: "result.allAtStepEnd",
  statement: "When a step ends, every call of its message has its result.",
  hint: "Give every call a result, also when it failed, was denied, or never started.",
  on: ["assistant/message", "tool/result", "step/end"],
  initial: [],
  judge: (open, event, place) => {
    if (event.type === "assistant/message") return callsOf(event).map((block) => block.callId)
    if (event.type === "tool/result") return without(open, event.data.callId)
    if (open.length === 0) return open
    const left = [...new Set(open)].sort().join(", ")
    return new Broken([], [`step ${place.step} ends without a result of ${left}`])
  },
})

/** The codes that stand for one outcome. A body that failed may carry any code, also one of these. */
const outcomeOf: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ["ARGS_NOT_JSON", "rejected"],
  ["INVALID_ARGS", "rejected"],
  ["UNKNOWN_TOOL", "unknown-tool"],
  ["TOOL_DENIED", "denied"],
  ["TOOL_DEFECT", "defect"],
  ["TOOL_TIMEOUT", "timed-out"],
  ["ABORTED_BEFORE_START", "interrupted-before-start"],
  ["ABORTED", "interrupted"],
  ["STOPPED_ITSELF", "interrupted"],
  ["TOOL_NOT_STARTED", "not-started"],
  ["RESOURCE_BUSY", "not-started"],
  ["TOOL_OUTCOME_UNKNOWN", "outcome-unknown"],
])

const outcomeShape = stateless({
  id: "result.outcomeShape",
  statement:
    "A result is a success, or an error with a name and a code, and says so in all three places; no code is that of another outcome.",
  hint: "Derive isError and error from the outcome in one place, as tool/encode does.",
  on: ["tool/result"],
  judge: ({ data: { callId, outcome, isError, error } }) => {
    if (isError !== (outcome !== "success")) return `call ${callId} is ${outcome} with isError ${isError}`
    if (isError !== (error !== undefined))
      return `call ${callId} is ${outcome} ${isError ? "without" : "with"} an error`
    if (error === undefined) return undefined
    if (error.name === "" || error.code === "") return `call ${callId} has an error without a name or a code`
    const due = outcomeOf.get(error.code)
    if (due === undefined || due === outcome || outcome === "failed") return undefined
    return `call ${callId} is ${outcome} with ${error.code}, the code of ${due}`
  },
})

/** Outcomes of a call that a check refused or that a crash kept from starting. */
const neverStarted: ReadonlySet<Outcome> = new Set(["rejected", "unknown-tool", "denied", "not-started"])

interface Logged {
  readonly callId: string
  readonly didStart: boolean
}

const startsFalse = inStep<ReadonlyArray<Logged>, "tool/call" | "tool/result">({
  id: "result.startsFalse",
  statement: "A call is logged with starts: false exactly when its result says that it never started.",
  hint: "Write tool/call after decode, authorize and the slot; a call that fails before has starts: false.",
  on: ["tool/call", "tool/result"],
  initial: [],
  judge: (calls, event) => {
    const { callId } = event.data
    if (event.type === "tool/call") return [...calls, { callId, didStart: event.data.starts !== false }]
    const { outcome } = event.data
    const didStart = calls.findLast((call) => call.callId === callId)?.didStart
    // An abort may come between the log's word and the body's first step, so this one is either way.
    if (didStart === undefined || outcome === "interrupted-before-start") return calls
    if (didStart !== neverStarted.has(outcome)) return calls
    return new Broken(calls, [`call ${callId} ${didStart ? "started" : "never started"}, but is ${outcome}`])
  },
})

const callsOf = (event: EventOf<"assistant/message">): ReadonlyArray<ToolCallBlock> =>
  event.data.content.filter((block) => block.type === "tool-call")

export const rules: ReadonlyArray<Rule> = [
  fromMessage,
  partialNeverRuns,
  paired,
  allAtStepEnd,
  outcomeShape,
  startsFalse,
]
