/**
 * Derive again what a log says was derived, and compare.
 *
 * In:  the events of a log.      Out: every difference, by seq: requests by their digests, messages by their chunks.
 * Fails with: nothing. The order of the events is the business of `invariant/Verifier`.
 * Not here: asking a model again (`ReplayModel.ts`).
 * Source: docs/adr/0008: a request is named by its config and its history.
 */
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import * as Assembler from "../message/Assembler.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { BlockChunk } from "../message/ModelChunk.ts"
import * as History from "../session/History.ts"
import { type Digester, digesterOf } from "../turn/Voice.ts"
import { differ, toText } from "./differ.ts"

export interface Difference {
  readonly seq: number
  /** Which of the things that a log promises does not hold. */
  readonly what: "request" | "message"
  readonly message: string
}

export interface Replayed {
  /** Requests whose digests were made again. */
  readonly requests: number
  /** Messages that were put together again from their chunks. */
  readonly messages: number
  readonly differences: ReadonlyArray<Difference>
}

/** Go through a log once. */
export const replay = (events: Iterable<SessionEvent>): Replayed => {
  const found: Array<Difference> = []
  const configs = new Map<number, Digester>()
  let history = History.initial
  let chunks: Array<BlockChunk> = []
  let requests = 0
  let messages = 0
  const tell = (seq: number, what: Difference["what"], message: string | undefined) => {
    if (message !== undefined) found.push({ seq, what, message })
  }
  for (const event of events) {
    history = History.next(history, event)
    switch (event.type) {
      case "request/config":
        configs.set(event.seq, digesterOf(event.data))
        break
      case "step/start": {
        chunks = []
        const { request } = event.data
        if (request === undefined) break
        requests++
        tell(event.seq, "request", requestFault(request, configs.get(request.config), history))
        break
      }
      case "assistant/chunk":
        chunks.push(event.data.chunk)
        break
      case "assistant/message":
        messages++
        tell(event.seq, "message", messageFault(event.data, chunks))
        break
      default:
        break
    }
  }
  return { requests, messages, differences: found }
}

type Request = NonNullable<Payload<"step/start">["request"]>

const requestFault = (
  { config, digest }: Request,
  digester: Digester | undefined,
  history: History.History,
): string | undefined => {
  if (digester === undefined) return `its config is not at seq ${config}`
  const derived = digester(History.messages(history))
  if (derived === digest) return undefined
  return `its digest is ${digest}, but config ${config} and the history that the log derives give ${derived}`
}

/** What stood in the stream is what the message must hold, but for calls of an answer that broke off. */
const messageFault = (
  { content, finish }: Payload<"assistant/message">,
  chunks: ReadonlyArray<BlockChunk>,
): string | undefined => {
  const { content: folded, fault } = Assembler.fold(chunks)
  if (fault !== undefined) return `its chunks do not fold: ${fault}`
  const isBroken = finish.kind === "aborted" || finish.kind === "error"
  const expected: AssistantContent = isBroken ? folded.filter(({ type }) => type !== "tool-call") : folded
  const difference = differ(expected, content, "content")
  return difference && toText(difference)
}
