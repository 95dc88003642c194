/**
 * Write the log that a plan tells of, the way a correct loop would.
 *
 * In:  turn plans.      Out: numbered, lawful events; what a plan cannot have is left out.
 */
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import * as Assembler from "../message/Assembler.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { BlockChunk } from "../message/ModelChunk.ts"
import { goOn, openCalls, repair } from "../recovery/Recovery.ts"
import { Writer, writeCalls } from "./growLog.ts"
import type { BlockPlan, StepPlan, TurnPlan } from "./planLog.ts"

export const write = (turns: ReadonlyArray<TurnPlan>): ReadonlyArray<SessionEvent> => {
  const writer = new Writer()
  writer.push({ type: "session/start", data: { version: 1, id: "drawn", createdAt: 1 } })
  writer.push({ type: "request/config", data: { model: "script:drawn", parameters: {}, tools: [] } })
  for (const plan of turns) writeTurn(writer, plan)
  return writer.log
}

const writeTurn = (writer: Writer, plan: TurnPlan): void => {
  writer.arrive(plan.before)
  const last = writer.state.pending.at(-1)
  if (plan.cancels && last) {
    writer.push({ type: "message/cancelled", data: { messageIds: [last.messageId], reason: "drawn" } })
  }
  startTurn(writer, plan.alsoClaims)
  const { turn } = writer.state
  const before = plan.steps.slice(0, -1)
  for (const step of before) writeStep(writer, step)
  const start = writer.log.length
  for (const step of plan.steps.slice(-1)) writeStep(writer, step)
  const cut = start + Math.floor(plan.cutAt * (writer.log.length - start))
  if (plan.end === "crashed") {
    writer.cut(cut)
    writer.resume()
  } else if (plan.end === "resumed") {
    // Most crashes of a turn that goes on come while a call runs that can run again.
    const running = writer.log.findLastIndex(
      (event) => event.type === "tool/call" && event.data.key !== undefined,
    )
    writer.cut(running < start ? cut : running + 1)
    for (let crash = 0; crash < plan.crashes; crash++) resume(writer)
    finish(writer)
    endTurn(writer, turn, "completed")
  } else if (plan.end === "aborted") abort(writer, cut)
  else endTurn(writer, turn, plan.end)
  if (plan.compacts) compact(writer)
}

const startTurn = (writer: Writer, alsoClaims: number): void => {
  if (writer.state.pending.every((message) => message.kind === "context")) writer.arrive(["user/message"])
  const { pending, turn } = writer.state
  const needed = pending.findIndex((message) => message.kind !== "context") + 1
  const claimed = pending.slice(0, needed + alsoClaims)
  const kind = claimed.every((message) => message.kind !== "user") ? "continuation" : "message"
  const claims = claimed.map((message) => message.messageId)
  writer.push({ type: "turn/start", data: { turn: turn + 1, trigger: { kind }, claims } })
}

/** Before a turn is complete, all steering has been read. */
const endTurn = (writer: Writer, turn: number, kind: Payload<"turn/end">["reason"]["kind"]): void => {
  if (kind === "completed" && writer.state.pending.some((message) => message.kind === "steering")) {
    startStep(writer)
    writer.push({ type: "step/end", data: { turn, step: writer.state.step } })
  }
  const code = kind === "failed" ? "MODEL_OVERLOADED" : kind === "limit" ? "LIMIT_REACHED" : undefined
  writer.push({ type: "turn/end", data: { turn, reason: { kind, ...(code !== undefined && { code }) } } })
}

/** Another process goes on with the open turn: calls that have a key run again, the others are answered. */
const resume = (writer: Writer): void => {
  const keyed = new Set(
    writer.log.flatMap((event) =>
      event.type === "tool/call" && event.data.key !== undefined ? [event.data.callId] : [],
    ),
  )
  const again = openCalls(writer.state).filter(
    ({ block, phase }) => phase === "running" && keyed.has(block.callId),
  )
  const standings = new Map(again.map(({ block }) => [block.callId, { _tag: "again" } as const]))
  writer.push(...goOn(writer.state, writer.log, { standings }))
}

/** The calls that ran again end well, and so does their step. */
const finish = (writer: Writer): void => {
  const { phase, step, turn } = writer.state
  if (phase === "none") return
  for (const { block } of openCalls(writer.state)) {
    const data = {
      turn,
      step,
      callId: block.callId,
      outcome: "success",
      isError: false,
      content: [],
    } as const
    writer.push({ type: "tool/result", data })
  }
  writer.push({ type: "step/end", data: { turn, step } })
}

/** Accept an abort where the step was cut, answer what is open, and close. */
const abort = (writer: Writer, cut: number): void => {
  writer.cut(cut)
  const { turn } = writer.state
  writer.push({ type: "turn/abort", data: { turn, reason: "drawn" } })
  if (writer.state.phase === "streaming") keepWhatWasSaid(writer)
  writer.push(...repair(writer.state, writer.log))
}

const keepWhatWasSaid = (writer: Writer): void => {
  const { turn, step } = writer.state
  const from = writer.log.findLastIndex((event) => event.type === "step/start")
  const chunks = writer.log
    .slice(from)
    .flatMap((event) => (event.type === "assistant/chunk" ? [event.data.chunk] : []))
  const content = Assembler.fold(chunks).content.filter((block) => block.type !== "tool-call")
  if (content.length === 0) return
  writer.push({ type: "assistant/message", data: { turn, step, content, finish: { kind: "aborted" } } })
}

const startStep = (writer: Writer): { readonly turn: number; readonly step: number } => {
  const { pending, turn, step, configSeq } = writer.state
  const claims = pending.filter((message) => message.kind !== "user").map((message) => message.messageId)
  const place = { turn, step: step + 1 }
  writer.push({ type: "step/start", data: { ...place, claims, request: { config: configSeq, digest: "d" } } })
  return place
}

const writeStep = (writer: Writer, plan: StepPlan): void => {
  writer.arrive(plan.before)
  const place = startStep(writer)
  const blocks = plan.blocks.map((block, at) => toBlock(writer, block, at))
  const chunks = weave(blocks, plan.weave)
  const half = Math.floor(chunks.length / 2)
  const push = (chunk: BlockChunk) => writer.push({ type: "assistant/chunk", data: { ...place, chunk } })
  for (const chunk of chunks.slice(0, half)) push(chunk)
  writer.arrive(plan.during)
  if (plan.isNoted) writer.push({ type: "drawn:note", data: { place: `${place.turn}.${place.step}` } })
  for (const chunk of chunks.slice(half)) push(chunk)
  if (plan.hasUsage)
    writer.push({ type: "usage", data: { ...place, usage: { inputTokens: 1, outputTokens: 1 } } })
  const finished = blocks.flatMap((block) => block.finished ?? [])
  const content = plan.finish === "error" ? finished.filter((block) => block.type !== "tool-call") : finished
  if (content.length > 0) {
    const kind = plan.finish === "natural" ? "stop" : plan.finish
    writer.push({ type: "assistant/message", data: { ...place, content, finish: { kind } } })
    writeCalls(writer, place, content, plan)
  }
  if (plan.finish === "error") {
    const code = "MODEL_UNREACHABLE"
    writer.push({ type: "error", data: { ...place, name: "ModelUnreachable", code, message: "drawn" } })
  }
  writer.push({ type: "step/end", data: place })
}

interface Woven {
  readonly chunks: ReadonlyArray<BlockChunk>
  readonly finished: AssistantContent[number] | undefined
}

const toBlock = (writer: Writer, plan: BlockPlan, at: number): Woven => {
  const block = `b${at}`
  const text = plan.pieces.join("")
  const meta = plan.isSigned ? { meta: { drawn: { signature: at } } } : {}
  const end: ReadonlyArray<BlockChunk> = plan.isFinished ? [{ type: "block-end", block, ...meta }] : []
  if (plan.kind === "tool-call") {
    const callId = writer.callId()
    const start: BlockChunk = { type: "block-start", block, kind: plan.kind, callId, name: "tool" }
    const grown = plan.pieces.map((piece): BlockChunk => ({ type: "arguments-delta", block, text: piece }))
    const finished = { type: plan.kind, callId, name: "tool", arguments: text, ...meta }
    return { chunks: [start, ...grown, ...end], finished: plan.isFinished ? finished : undefined }
  }
  const { kind } = plan
  const grown = plan.pieces.map((piece): BlockChunk => ({ type: `${kind}-delta`, block, text: piece }))
  const finished = plan.isFinished ? { type: kind, text, ...meta } : undefined
  return { chunks: [{ type: "block-start", block, kind }, ...grown, ...end], finished }
}

/** Interleave the chunks of all blocks; blocks start in their order. */
const weave = (blocks: ReadonlyArray<Woven>, choices: ReadonlyArray<number>): ReadonlyArray<BlockChunk> => {
  const starts = blocks.flatMap((block) => block.chunks.slice(0, 1))
  const rests = blocks.map((block) => block.chunks.slice(1))
  const woven: Array<BlockChunk> = []
  for (const choice of choices) {
    const open = rests.filter((rest) => rest.length > 0)
    woven.push(...(open[choice % Math.max(1, open.length)]?.splice(0, 1) ?? []))
  }
  return [...starts, ...woven, ...rests.flat()]
}

const compact = (writer: Writer): void => {
  const to = writer.log.length - 1
  if (to <= writer.compactedTo) return
  writer.compactedTo = to
  writer.push({
    type: "history/compacted",
    data: { from: 1, to, content: [{ type: "text", text: "earlier" }] },
  })
}
