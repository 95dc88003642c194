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
import * as ModelError from "../model/ModelError.ts"
import type { Answered } from "./step.ts"
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

export const recall = (log: ReadonlyArray<SessionEvent>, { turn, reason }: Ended): TurnResult => {
  const tally = stepsOf(log, turn).reduce<Tally.Tally>((before, step) => Tally.add(before, step), Tally.empty)
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
  said: Pick<Answered, "content" | "usage">
}

const stepsOf = (log: ReadonlyArray<SessionEvent>, turn: number): ReadonlyArray<Answered> => {
  const steps: Array<Step> = []
  for (const event of log) {
    if (event.type === "step/start" && event.data.turn === turn)
      steps.push({ calls: [], results: new Map(), said: { content: [], usage: undefined } })
    const step = steps.at(-1)
    if (step !== undefined) take(step, turn, event)
  }
  return steps.map(toAnswered)
}

const take = (step: Step, turn: number, event: SessionEvent): void => {
  if (event.type === "usage" && event.data.turn === turn)
    step.said = { ...step.said, usage: event.data.usage }
  if (event.type === "assistant/message" && event.data.turn === turn) {
    const { content } = event.data
    step.said = { ...step.said, content }
    step.calls = content.filter((block) => block.type === "tool-call")
  }
  if (event.type === "tool/result" && event.data.turn === turn)
    step.results.set(event.data.callId, event.data)
}

const toAnswered = ({ calls, results, said }: Step): Answered => ({
  kind: "answered",
  ...said,
  finish: { kind: "stop" },
  hasOpenCall: false,
  outcomes: calls.flatMap((call) => {
    const data = results.get(call.callId)
    if (data === undefined) return []
    const { turn: _, step: __, ...result } = data
    return [{ call, result: { ...result, name: call.name }, mustSync: false }]
  }),
})

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

const isLimit = (code: string): code is LimitReached["code"] => /^LIMIT_/.test(code)
