/**
 * Tell again how a turn ended that the log holds: for a prompt that is sent a second time.
 *
 * In:  a log and the number of a closed turn in it.      Out: its `TurnResult`, as it was told the first time.
 * Fails with: nothing. Of an error only its class, code and message are in the log.
 * Not here: which turn claimed a message (`Agent.ts`), an answer by schema (`answer.ts`).
 */
import { EventRejected } from "../event/EventError.ts"
import type { Payload, SessionEvent, TurnEndReason } from "../event/SessionEvent.ts"
import type { ToolCallBlock } from "../message/Content.ts"
import type { Finish } from "../message/ModelChunk.ts"
import * as ModelError from "../model/ModelError.ts"
import type { StepEnd } from "./step.ts"
import { AnswerMissing, LimitReached, ModelDefect } from "./TurnError.ts"
import type { TurnError, TurnResult } from "./TurnResult.ts"
import * as Tally from "./tally.ts"

export type Ended = Payload<"turn/end">

/** The end of the turn that claimed a message: undefined while it runs, or before any claimed it. */
export const endOf = (log: ReadonlyArray<SessionEvent>, messageId: string): Ended | undefined => {
  for (const event of log) {
    if (event.type !== "turn/start" || !event.data.claims.includes(messageId)) continue
    const { turn } = event.data
    const end = log.find((later) => later.type === "turn/end" && later.data.turn === turn)
    return end?.type === "turn/end" ? end.data : undefined
  }
  return undefined
}

/** The messages that a turn claimed as it began. */
export const claimsOf = (log: ReadonlyArray<SessionEvent>, turn: number): ReadonlyArray<string> => {
  const start = log.findLast((event) => event.type === "turn/start" && event.data.turn === turn)
  return start?.type === "turn/start" ? start.data.claims : []
}

export const recall = (log: ReadonlyArray<SessionEvent>, { turn, reason }: Ended): TurnResult => {
  const tally = stepsOf(log, turn).reduce((before, step) => Tally.add(before, step, false), Tally.empty)
  const { steps, usage, text, refused } = tally
  const error = errorOf(reason)
  return { turn, reason, steps, usage, text, refused, ...(error !== undefined && { error }) }
}

/** The arguments of the turn's last call of `tool`: of a completed turn, those that gave its answer. */
export const lastArguments = (
  log: ReadonlyArray<SessionEvent>,
  turn: number,
  tool: string,
): string | undefined => {
  const accepted = new Set(
    log.flatMap(({ type, data }) =>
      type === "tool/result" && data.turn === turn && !data.isError ? [data.callId] : [],
    ),
  )
  const call = log.findLast(
    ({ type, data }) => type === "tool/call" && data.name === tool && accepted.has(data.callId),
  )
  return call?.type === "tool/call" ? call.data.arguments : undefined
}

interface Step {
  calls: ReadonlyArray<ToolCallBlock>
  results: Map<string, Payload<"tool/result">>
  said: Pick<StepEnd, "content" | "usage">
  finish: Finish | undefined
  error: Payload<"error"> | undefined
  /** Calls that the stream began. */
  begun: number
  /** Its process died while the model spoke. */
  isBroken: boolean
}

/** How each step of a turn ended that the log holds whole. */
export const stepsOf = (log: ReadonlyArray<SessionEvent>, turn: number): ReadonlyArray<StepEnd> => {
  const steps: Array<Step> = []
  for (const event of log) {
    if (event.type === "step/start" && event.data.turn === turn) steps.push(begin())
    const step = steps.at(-1)
    if (step !== undefined) take(step, turn, event)
  }
  return steps.map(toStepEnd)
}

const begin = (): Step => ({
  calls: [],
  results: new Map(),
  said: { content: [], usage: undefined },
  finish: undefined,
  error: undefined,
  begun: 0,
  isBroken: false,
})

const take = (step: Step, turn: number, event: SessionEvent): void => {
  if (event.type === "session/resume") {
    step.isBroken ||= step.finish === undefined && step.error === undefined
    return
  }
  if (!isOfTurn(event, turn)) return
  switch (event.type) {
    case "assistant/chunk":
      if (event.data.chunk.type === "block-start" && event.data.chunk.kind === "tool-call") step.begun += 1
      return
    case "usage":
      step.said = { ...step.said, usage: event.data.usage }
      return
    case "assistant/message": {
      const { content, finish } = event.data
      step.said = { ...step.said, content }
      step.finish = finish
      step.calls = content.filter((block) => block.type === "tool-call")
      return
    }
    case "error":
      step.error = event.data
      return
    case "tool/result":
      step.results.set(event.data.callId, event.data)
  }
}

type OfTurn = Extract<
  SessionEvent,
  { readonly type: "assistant/chunk" | "usage" | "assistant/message" | "error" | "tool/result" }
>

const isOfTurn = (event: SessionEvent, turn: number): event is OfTurn => {
  switch (event.type) {
    case "assistant/chunk":
    case "usage":
    case "assistant/message":
    case "error":
    case "tool/result":
      return event.data.turn === turn
    default:
      return false
  }
}

/** An error in a step is the model's when no answer came; else it is that of a body that was tried again. */
const toStepEnd = (step: Step): StepEnd => {
  const { calls, results, said, finish = { kind: "stop" }, begun, isBroken } = step
  const error = step.finish === undefined || finish.kind === "error" ? toModelError(step.error) : undefined
  if (error !== undefined) return { kind: "failed", ...said, error }
  if (isBroken || finish.kind === "aborted") return { kind: "stopped", ...said }
  const outcomes = calls.flatMap((call) => {
    const data = results.get(call.callId)
    if (data === undefined) return []
    const { turn: _, step: __, ...result } = data
    return [{ call, result: { ...result, name: call.name }, mustSync: false }]
  })
  return { kind: "answered", ...said, finish, outcomes, hasOpenCall: begun > calls.length }
}

const toModelError = (error: Payload<"error"> | undefined) => {
  if (error === undefined) return undefined
  const { code, message } = error
  if (isModelCode(code)) return new ModelError.byCode[code]({ message })
  return code === "MODEL_DEFECT" ? new ModelDefect({ message }) : undefined
}

const errorOf = ({ kind, code = "", message = "" }: TurnEndReason): TurnError | undefined => {
  if (kind === "limit" && isLimit(code)) return new LimitReached({ code, message })
  if (kind !== "failed") return undefined
  if (isModelCode(code)) return new ModelError.byCode[code]({ message })
  switch (code) {
    case "MODEL_DEFECT":
      return new ModelDefect({ message })
    case "ANSWER_MISSING":
      return new AnswerMissing({ message })
    case "EVENT_REJECTED":
      return new EventRejected({ message, rule: "", type: "" })
    default:
      return undefined
  }
}

const isModelCode = (code: string): code is keyof typeof ModelError.byCode =>
  Object.hasOwn(ModelError.byCode, code)

const isLimit = (code: string): code is LimitReached["code"] => code.startsWith("LIMIT_")
