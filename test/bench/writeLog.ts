/**
 * Write a lawful log of any length, in memory that does not grow with it: what long logs are measured with.
 *
 * In:  a file, how many events it has at least, pieces of text a step.      Out: the file, written anew.
 * Not here: reading it (`checkLog.ts`).
 */
import { closeSync, openSync, writeSync } from "node:fs"
import type { EventDraft, SessionEvent } from "../../src/event/SessionEvent.ts"
import type { BlockChunk } from "../../src/message/ModelChunk.ts"
import * as LogFile from "../../src/store/LogFile.ts"

const callsPerTurn = 8

const words = (text: string) => [{ type: "text" as const, text }]

/** One turn: a prompt, steps with a call each, and a last one without. */
const turnOf = function* (turn: number, deltas: number): Generator<EventDraft> {
  const messageId = `message-${turn}`
  yield { type: "user/message", data: { messageId, content: words(`question ${turn}`), source: "user" } }
  yield { type: "turn/start", data: { turn, trigger: { kind: "message" }, claims: [messageId] } }
  for (let step = 1; step <= callsPerTurn + 1; step++) yield* stepOf({ turn, step }, deltas)
  yield { type: "turn/end", data: { turn, reason: { kind: "completed" } } }
}

const stepOf = function* (
  place: { readonly turn: number; readonly step: number },
  deltas: number,
): Generator<EventDraft> {
  const { turn, step } = place
  const isLast = step > callsPerTurn
  const texts = Array.from(
    { length: isLast ? Math.max(deltas, 1) : deltas },
    (_, at) => `word ${at} of ${step}; `,
  )
  const call = {
    callId: `call-${turn}-${step}`,
    name: "read_file",
    arguments: `{"path":"notes/${turn}-${step}.md"}`,
  }
  const block = { type: "tool-call" as const, ...call }
  const content = [...(texts.length > 0 ? words(texts.join("")) : []), ...(isLast ? [] : [block])]
  const finish = { kind: isLast ? ("stop" as const) : ("tool-calls" as const) }
  yield { type: "step/start", data: { ...place, claims: [] } }
  for (const chunk of [...(texts.length > 0 ? textChunks(texts) : []), ...(isLast ? [] : callChunks(call))])
    yield { type: "assistant/chunk", data: { ...place, chunk } }
  yield { type: "usage", data: { ...place, usage: { inputTokens: 900, outputTokens: 40 } } }
  yield { type: "assistant/message", data: { ...place, content, finish } }
  if (!isLast) {
    yield { type: "tool/call", data: { ...place, ...call } }
    const { callId } = call
    const content = words("a line of the file\n".repeat(20))
    yield { type: "tool/result", data: { ...place, callId, outcome: "success", isError: false, content } }
  }
  yield { type: "step/end", data: place }
}

const textChunks = (texts: ReadonlyArray<string>): ReadonlyArray<BlockChunk> => [
  { type: "block-start", block: "t", kind: "text" },
  ...texts.map((text) => ({ type: "text-delta" as const, block: "t", text })),
  { type: "block-end", block: "t" },
]

const callChunks = (call: { readonly callId: string; readonly name: string; readonly arguments: string }) => {
  const { callId, name, arguments: text } = call
  const chunks: ReadonlyArray<BlockChunk> = [
    { type: "block-start", block: "c", kind: "tool-call", callId, name },
    { type: "arguments-delta", block: "c", text },
    { type: "block-end", block: "c" },
  ]
  return chunks
}

/** Write it, a turn at a time; returns how many events there are. */
export const writeLog = (file: string, atLeast: number, deltas: number): number => {
  const out = openSync(file, "w")
  let seq = 0
  const number = (draft: EventDraft): SessionEvent =>
    ({ seq, at: 1_700_000_000_000 + seq++, ...draft }) as SessionEvent
  const start = { version: 1, id: "long", createdAt: 1_700_000_000_000 } as const
  writeSync(out, LogFile.encode([number({ type: "session/start", data: start })]))
  for (let turn = 1; seq < atLeast; turn++)
    writeSync(out, LogFile.encode([...turnOf(turn, deltas)].map(number)))
  closeSync(out)
  return seq
}
