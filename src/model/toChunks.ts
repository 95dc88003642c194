/**
 * Turn the parts of a provider's stream into chunks.
 *
 * In:  AI SDK stream parts, one by one (the ids of two blocks in a row may be equal there).
 * Out: chunks with block ids of our own (`0`, `1` …); a call's block ends only once the answer has finished well, so
 *      that a stream that breaks never leaves a call that looks whole; `meta` stands under the provider's name.
 * Fails with: nothing; a `Fault` says what is wrong with the stream, or carries the provider's own error.
 * Not here: reading the stream (`pumpParts.ts`), whose error it is (`toModelError.ts`). Files, sources and tools that a
 *           provider runs by itself are left out: the harness asks for none of them.
 */
import { Predicate } from "effect"
import type { Meta } from "../message/Content.ts"
import type { Ids } from "../message/Ids.ts"
import type { BlockChunk, ModelChunk } from "../message/ModelChunk.ts"
import { type FinishReason, toFinish } from "./toFinish.ts"
import { type Counts, toUsage } from "./toUsage.ts"

type ProviderMetadata = Readonly<Record<string, unknown>>

interface WithMetadata {
  readonly id: string
  readonly providerMetadata?: ProviderMetadata
}

/** The parts that say something here; all of the provider interface's versions 3 and 4 fit. */
export type Part =
  | (WithMetadata & {
      readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end" | "tool-input-end"
    })
  | (WithMetadata & {
      readonly type: "text-delta" | "reasoning-delta" | "tool-input-delta"
      readonly delta: string
    })
  | (WithMetadata & {
      readonly type: "tool-input-start"
      readonly toolName: string
      readonly inputEncoding?: "json" | "text"
      readonly providerExecuted?: boolean
    })
  | {
      readonly type: "tool-call"
      readonly toolCallId: string
      readonly toolName: string
      readonly input: string
      readonly providerExecuted?: boolean
      readonly providerMetadata?: ProviderMetadata
    }
  | { readonly type: "finish"; readonly usage: Counts; readonly finishReason: FinishReason }
  | { readonly type: "error"; readonly error: unknown }
  | {
      readonly type:
        | "stream-start"
        | "response-metadata"
        | "ping"
        | "raw"
        | "file"
        | "source"
        | "custom"
        | "reasoning-file"
        | "tool-result"
        | "tool-approval-request"
    }

export type Fault =
  | { readonly type: "protocol"; readonly message: string }
  | { readonly type: "stopped"; readonly message: string }
  | { readonly type: "provider"; readonly error: unknown }

export interface Translator {
  /** Append what a part says to `out`. After a fault or the finish, nothing more may be given. */
  readonly push: (part: Part, out: Array<ModelChunk>) => Fault | undefined
  readonly isFinished: () => boolean
}

interface OpenBlock {
  readonly start: Extract<BlockChunk, { readonly type: "block-start" }>
  /** Arguments are sent as they come, unless their pieces are in an encoding that the whole is not. */
  readonly streams: boolean
  sent: string
  metadata: ProviderMetadata
}

const deltaTypes = {
  text: "text-delta",
  reasoning: "reasoning-delta",
  "tool-call": "arguments-delta",
} as const

export const make = (provider: string, ids: Ids): Translator => new Translation(provider, ids)

class Translation implements Translator {
  private readonly provider: string
  private readonly ids: Ids
  private readonly open = new Map<string, OpenBlock>()
  private readonly callIds = new Set<string>()
  /** Calls that the provider runs by itself, by its id. */
  private readonly elsewhere = new Set<string>()
  private readonly callEnds: Array<BlockChunk> = []
  private count = 0
  private finished = false

  constructor(provider: string, ids: Ids) {
    this.provider = provider
    this.ids = ids
  }

  readonly isFinished = (): boolean => this.finished

  readonly push = (part: Part, out: Array<ModelChunk>): Fault | undefined => {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const kind = part.type === "text-start" ? "text" : "reasoning"
        return this.start(part, { type: "block-start", block: this.nextBlock(), kind }, true, out)
      }
      case "tool-input-start":
        return this.startCall(part, part.toolName, part.providerExecuted, part.inputEncoding !== "text", out)
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta":
        return this.grow(part, out)
      case "text-end":
      case "reasoning-end":
      case "tool-input-end":
        return this.end(part, out)
      case "tool-call":
        return this.endCall(part, out)
      case "finish":
        return this.finish(part, out)
      case "error":
        return { type: "provider", error: part.error }
      default:
        return undefined
    }
  }

  private start(
    part: WithMetadata,
    start: OpenBlock["start"],
    streams: boolean,
    out: Array<ModelChunk>,
  ): Fault | undefined {
    const key = keyOf(start.kind, part.id)
    if (this.open.has(key)) return broken(`${start.kind} ${part.id} started twice`)
    this.open.set(key, { start, streams, sent: "", metadata: part.providerMetadata ?? {} })
    out.push(start)
    return undefined
  }

  private startCall(
    part: WithMetadata,
    name: string,
    providerExecuted: boolean | undefined,
    streams: boolean,
    out: Array<ModelChunk>,
  ): Fault | undefined {
    if (providerExecuted) {
      this.elsewhere.add(part.id)
      return undefined
    }
    if (name.trim() === "") return broken("a tool call has no name")
    const callId = part.id === "" || this.callIds.has(part.id) ? this.ids.next("call") : part.id
    this.callIds.add(callId)
    const start = { type: "block-start", block: this.nextBlock(), kind: "tool-call", callId, name } as const
    return this.start(part, start, streams, out)
  }

  private grow(part: Extract<Part, { readonly delta: string }>, out: Array<ModelChunk>): Fault | undefined {
    const found = this.find(part)
    if (found === undefined) return this.unknown(part)
    this.note(found, part)
    if (part.delta === "" || !found.streams) return undefined
    found.sent += part.delta
    out.push({ type: deltaTypes[found.start.kind], block: found.start.block, text: part.delta })
    return undefined
  }

  private end(part: WithMetadata & { readonly type: string }, out: Array<ModelChunk>): Fault | undefined {
    const found = this.find(part)
    if (found === undefined) return this.unknown(part)
    this.note(found, part)
    if (found.start.kind === "tool-call") return undefined
    this.open.delete(keyOf(found.start.kind, part.id))
    out.push(this.endOf(found))
    return undefined
  }

  /** The whole call is the word that counts: what was streamed must be its beginning. */
  private endCall(
    part: Extract<Part, { readonly type: "tool-call" }>,
    out: Array<ModelChunk>,
  ): Fault | undefined {
    const named = { ...part, id: part.toolCallId }
    if (part.providerExecuted || this.elsewhere.has(named.id)) {
      this.elsewhere.add(named.id)
      return undefined
    }
    const key = keyOf("tool-call", named.id)
    if (!this.open.has(key)) {
      const fault = this.startCall(named, part.toolName, false, true, out)
      if (fault) return fault
    }
    const found = this.open.get(key)
    if (found?.start.kind !== "tool-call" || found.start.name !== part.toolName) {
      return broken(`call ${named.id} changed its name to ${part.toolName}`)
    }
    if (!part.input.startsWith(found.sent))
      return broken(`the arguments of call ${named.id} changed at its end`)
    const rest = part.input.slice(found.sent.length)
    if (rest !== "") out.push({ type: "arguments-delta", block: found.start.block, text: rest })
    this.note(found, named)
    this.open.delete(key)
    this.callEnds.push(this.endOf(found))
    return undefined
  }

  private finish(
    part: Extract<Part, { readonly type: "finish" }>,
    out: Array<ModelChunk>,
  ): Fault | undefined {
    const finish = toFinish(part.finishReason, this.callEnds.length, this.elsewhere.size)
    if ("fault" in finish) return { type: finish.fault, message: finish.message }
    const [unfinished] = this.open.values()
    if (unfinished && (finish.kind === "stop" || finish.kind === "tool-calls")) {
      return broken(`the finish came while a ${unfinished.start.kind} was unfinished`)
    }
    out.push(...this.callEnds)
    const usage = toUsage(part.usage)
    if (usage) out.push({ type: "usage", usage })
    out.push({ type: "finish", finish })
    this.finished = true
    return undefined
  }

  private find(part: { readonly id: string; readonly type: string }): OpenBlock | undefined {
    const kind = part.type.startsWith("tool")
      ? "tool-call"
      : part.type.startsWith("text")
        ? "text"
        : "reasoning"
    return this.open.get(keyOf(kind, part.id))
  }

  private unknown(part: { readonly id: string; readonly type: string }): Fault | undefined {
    return this.elsewhere.has(part.id) ? undefined : broken(`${part.type} ${part.id} belongs to nothing open`)
  }

  private note(found: OpenBlock, part: WithMetadata): void {
    for (const [key, value] of Object.entries(part.providerMetadata ?? {})) {
      found.metadata = { ...found.metadata, [key]: merge(found.metadata[key], value) }
    }
  }

  private endOf({ start, metadata }: OpenBlock): BlockChunk {
    // Reasoning always says whose it is: without that, no later request could tell whether to send it back.
    const isSigned = start.kind === "reasoning" || Object.keys(metadata).length > 0
    const meta: Meta = isSigned ? { [this.provider]: JSON.parse(JSON.stringify(metadata)) } : {}
    return { type: "block-end", block: start.block, ...(isSigned && { meta }) }
  }

  private nextBlock(): string {
    return `${this.count++}`
  }
}

const merge = (left: unknown, right: unknown): unknown =>
  Predicate.isReadonlyObject(left) && Predicate.isReadonlyObject(right) ? { ...left, ...right } : right

const keyOf = (kind: OpenBlock["start"]["kind"], id: string): string => `${kind} ${id}`

const broken = (message: string): Fault => ({ type: "protocol", message })
