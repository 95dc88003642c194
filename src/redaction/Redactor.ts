/**
 * Show a session without its secrets: what tools mark as sensitive stands as its digest.
 *
 * In:  events in seq order, live or from a log; the log's own request configs say what is sensitive.
 * Out: the same events to look at. They are no log: chunks of arguments are blanked, digests do not read back.
 * Fails with: nothing.
 * Not here: what a schema marks (`spec/Sensitive.ts`), the digest (`message/Redaction.ts`); results, violations and
 * errors, which hold no marked field from the start (`tool/decode.ts`).
 *
 * On the safe side: arguments that are no JSON, and those of a tool that nobody knows beside tools with secrets, are
 * hidden whole. A secret that was seen is also hidden where a body or the model repeats it, word for word.
 */
import type { Schema } from "effect"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { Redaction } from "../message/Redaction.ts"
import * as Sensitive from "../spec/Sensitive.ts"
import { scrub } from "./scrub.ts"

export interface Redactor {
  /** Hear of tools before their config is in the log. What was sensitive once stays so. */
  readonly learn: (tools: ReadonlyArray<Described>) => void
  /** Show one event. Order: all events of a session, each once. */
  readonly event: (event: SessionEvent) => SessionEvent
  /** Show the arguments of a call. */
  readonly args: (tool: string, args: unknown) => unknown
}

interface Described {
  readonly name: string
  readonly parameters: Schema.JsonObject
  readonly sensitive?: Schema.JsonObject
}

/** One redactor a session: it remembers masks, and secrets that it saw. */
export const make = ({ digest }: Redaction): Redactor => {
  const masks = new Map<string, Sensitive.Mask | undefined>()
  const secrets = new Map<string, string>()
  /** Blocks of the open step whose deltas may hold a piece of a secret. */
  const hidden = new Set<string>()
  const replace = (secret: unknown): string => {
    const shown = digest(secret)
    remember(secrets, secret, digest)
    return shown
  }
  const hasSecrets = (): boolean => [...masks.values()].some((mask) => mask !== undefined)
  const maskOf = (tool: string): Sensitive.Mask | undefined =>
    masks.get(tool) ?? (!masks.has(tool) && hasSecrets() ? (value) => replace(value) : undefined)
  const text = (tool: string, written: string): string => {
    const mask = maskOf(tool)
    if (mask === undefined || written.trim() === "") return written
    const value = read(written)
    return value === undefined ? replace(written) : JSON.stringify(mask(value, replace))
  }
  const learn: Redactor["learn"] = (tools) => {
    for (const { name, parameters, sensitive = parameters } of tools)
      masks.set(name, Sensitive.maskOf(sensitive) ?? masks.get(name))
  }
  const chunk = ({ chunk: given, ...place }: Payload<"assistant/chunk">): Payload<"assistant/chunk"> => {
    if (given.type === "block-start" && given.kind === "tool-call" && maskOf(given.name) !== undefined)
      hidden.add(given.block)
    return given.type === "arguments-delta" && hidden.has(given.block)
      ? { ...place, chunk: { ...given, text: "" } }
      : { ...place, chunk: given }
  }
  const mark = (event: SessionEvent): SessionEvent => {
    switch (event.type) {
      case "request/config":
        learn(event.data.tools)
        return event
      case "step/start":
        hidden.clear()
        return event
      case "assistant/chunk":
        return { ...event, data: chunk(event.data) }
      case "assistant/message": {
        const content = event.data.content.map((block) =>
          block.type === "tool-call" ? { ...block, arguments: text(block.name, block.arguments) } : block,
        )
        return { ...event, data: { ...event.data, content } }
      }
      case "tool/call":
        return {
          ...event,
          data: { ...event.data, arguments: text(event.data.name, event.data.arguments) },
        }
      default:
        return event
    }
  }
  return {
    learn,
    event: (event) => scrub(mark(event), secrets),
    args: (tool, args) => maskOf(tool)?.(args, replace) ?? args,
  }
}

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Units: UTF-16 code units. Shorter texts stand in too many places to be looked for. */
const minSecret = 6

/** Units: secrets of one session. */
const maxSecrets = 1_000

/** Keep every text of a secret, to find it where it is repeated. */
const remember = (secrets: Map<string, string>, secret: unknown, digest: Redaction["digest"]): void => {
  if (typeof secret === "string") {
    if (secret.length >= minSecret && secrets.size < maxSecrets) secrets.set(secret, digest(secret))
  } else if (typeof secret === "object" && secret !== null) {
    for (const part of Object.values(secret)) remember(secrets, part, digest)
  }
}
