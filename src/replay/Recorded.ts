/**
 * Read out of a log what a model was asked and what it answered.
 *
 * In:  a log.      Out: one `Recorded` a request that was answered, or failed by the model, in order.
 * Not here: answers that an abort or a crash cut off: nobody knows what they would have been.
 */
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { BlockChunk, Finish, Usage } from "../message/ModelChunk.ts"
import * as ModelError from "../model/ModelError.ts"

export interface Recorded {
  /** Of its `step/start`. */
  readonly seq: number
  readonly turn: number
  readonly step: number
  readonly digest: string
  readonly config: Payload<"request/config">
  readonly chunks: ReadonlyArray<BlockChunk>
  readonly usage: Usage | undefined
  readonly end: { readonly finish: Finish } | { readonly error: ModelError.ModelError }
}

interface Draft extends Omit<Recorded, "end" | "chunks" | "usage"> {
  readonly chunks: Array<BlockChunk>
  usage: Usage | undefined
  finish: Finish | undefined
  error: ModelError.ModelError | undefined
  isBroken: boolean
}

export const recordedIn = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<Recorded> => {
  const configs = new Map<number, Payload<"request/config">>()
  const recorded: Array<Recorded> = []
  let open: Draft | undefined
  for (const event of log) {
    if (event.type === "request/config") configs.set(event.seq, event.data)
    else if (event.type === "step/start") open = begin(event.seq, event.data, configs)
    else if (event.type === "step/end") {
      if (open !== undefined) recorded.push(...finished(open))
      open = undefined
    } else if (open !== undefined) take(open, event)
  }
  return recorded
}

const begin = (
  seq: number,
  { turn, step, request }: Payload<"step/start">,
  configs: ReadonlyMap<number, Payload<"request/config">>,
): Draft | undefined => {
  const config = request && configs.get(request.config)
  if (request === undefined || config === undefined) return undefined
  const none = { chunks: [], usage: undefined, finish: undefined, error: undefined, isBroken: false }
  return { seq, turn, step, digest: request.digest, config, ...none }
}

const take = (draft: Draft, event: SessionEvent): void => {
  switch (event.type) {
    case "assistant/chunk":
      draft.chunks.push(event.data.chunk)
      return
    case "usage":
      draft.usage = event.data.usage
      return
    case "assistant/message":
      draft.finish = event.data.finish
      return
    case "error": {
      const { code, message } = event.data
      if (isModelCode(code)) draft.error ??= new ModelError.byCode[code]({ message })
      return
    }
    case "session/resume":
      draft.isBroken ||= draft.finish === undefined && draft.error === undefined
      return
    default:
  }
}

const finished = (draft: Draft): ReadonlyArray<Recorded> => {
  const { finish = { kind: "stop" }, error, isBroken, ...rest } = draft
  const hasFailed = error !== undefined && (draft.finish === undefined || finish.kind === "error")
  if (hasFailed) return [{ ...rest, end: { error } }]
  return isBroken || finish.kind === "aborted" || finish.kind === "error"
    ? []
    : [{ ...rest, end: { finish } }]
}

const isModelCode = (code: string): code is keyof typeof ModelError.byCode =>
  Object.hasOwn(ModelError.byCode, code)
