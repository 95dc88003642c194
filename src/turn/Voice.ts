/**
 * Put together what a model is asked, and name it by a digest that a log can hold.
 *
 * In:  the agent's own part (once) and the history (each step).      Out: `Voice`: a model with its config and its digests.
 * Not here: how a history comes out of a log (`session/History`), how a request goes over a wire (`model/`).
 * Source: docs/adr/0008, what the digest covers and what it costs.
 */
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import * as Digest from "../message/Digest.ts"
import type { Message } from "../message/Message.ts"
import type { Model, ModelRequest, Sampling, ToolChoice, ToolDescription } from "../model/Model.ts"
import { isContinued } from "../session/History.ts"

/** The part of every request that stays the same. */
export interface RequestConfig {
  readonly payload: Payload<"request/config">
  readonly digest: string
  readonly request: Omit<ModelRequest, "messages">
}

/** A tool as the log names it. */
export type ToolEntry = Payload<"request/config">["tools"][number]

interface ConfigOptions {
  readonly model: string
  readonly system: string | undefined
  readonly tools: ReadonlyArray<ToolEntry>
  readonly toolChoice: ToolChoice
  readonly sampling: Sampling
}

const makeConfig = (options: ConfigOptions): RequestConfig => {
  const { model, system, tools, toolChoice, sampling } = options
  const instructed = system === undefined ? {} : { system }
  const payload: Payload<"request/config"> = {
    model,
    ...instructed,
    parameters: { ...sampling, toolChoice },
    tools,
  }
  const descriptions = tools.map(
    ({ name, description, parameters }): ToolDescription => ({ name, description, parameters }),
  )
  return {
    payload,
    digest: digestConfig(payload),
    request: { ...instructed, tools: descriptions, toolChoice, sampling },
  }
}

/** Not of what is sensitive: no model reads it. */
const digestConfig = (payload: Payload<"request/config">): string =>
  Digest.ofJson({ ...payload, tools: payload.tools.map(({ sensitive: _, ...tool }) => tool) })

/** Name the request with this history. */
export type Digester = (messages: ReadonlyArray<Message>) => string

/** Name requests as those are named that were made with a config that a log holds. */
export const digesterOf = (payload: Payload<"request/config">): Digester =>
  makeDigester(digestConfig(payload))

/** A model of an agent, and how the requests to it are made and named. */
export interface Voice {
  readonly model: Model["Service"]
  readonly config: RequestConfig
  /** Where `config` stands in the log; -1 before it does. */
  readonly logged: { seq: number }
  readonly digest: Digester
}

/** In the order in which they are tried. */
export type Voices = readonly [Voice, ...ReadonlyArray<Voice>]

export const makeVoice = (
  model: Model["Service"],
  options: Omit<ConfigOptions, "model">,
  log: ReadonlyArray<SessionEvent>,
): Voice => {
  const config = makeConfig({ ...options, model: model.name })
  return { model, config, logged: { seq: findLogged(config, log) }, digest: makeDigester(config.digest) }
}

/** Where the log holds this config as its last; -1 when it does not. */
const findLogged = (config: RequestConfig, log: ReadonlyArray<SessionEvent>): number => {
  const last = log.findLast((event) => event.type === "request/config")
  if (last?.type !== "request/config" || digestConfig(last.data) !== config.digest) return -1
  return digestSensitive(last.data) === digestSensitive(config.payload) ? last.seq : -1
}

const digestSensitive = ({ tools }: Payload<"request/config">): string =>
  Digest.ofJson(tools.map(({ sensitive = null }) => sensitive))

/**
 * Digest the requests of one agent, each the one before with some messages more.
 *
 * The chain begins with the config's digest and takes in the digest of each message; what the last request held
 * already is known by identity, because a history hands out the same frozen message every time.
 */
const makeDigester = (configDigest: string): Digester => {
  let known: ReadonlyArray<Message> = []
  const chain: Array<string> = []
  return (messages) => {
    const kept = countKept(known, messages)
    chain.length = kept
    for (const message of messages.slice(kept)) {
      chain.push(Digest.sha256((chain.at(-1) ?? configDigest) + digestMessage(message)))
    }
    known = messages
    return chain.at(-1) ?? configDigest
  }
}

/** A history that only grew is not walked again: in a long one that would cost more than all else in a step. */
const countKept = (known: ReadonlyArray<Message>, messages: ReadonlyArray<Message>): number => {
  if (isContinued(known, messages)) return known.length
  let kept = 0
  while (kept < known.length && messages[kept] === known[kept]) kept++
  return kept
}

const digestMessage = ({ role, content }: Message): string => Digest.ofJson({ role, content })
