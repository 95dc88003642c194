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
 * hidden whole. A secret that was seen is also hidden where a body or the model repeats it, word for word; `log` knows
 * all of them before it shows the first event. Digests that a log makes without a key become keyed ones. Of what a later
 * version wrote and this one cannot interpret, nobody knows what is a secret: it is shown as its digest.
 */
import type { Schema } from "effect"
import type { ExtensionEvent, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { Redaction } from "../message/Redaction.ts"
import * as Sensitive from "../spec/Sensitive.ts"
import * as Pieces from "./pieces.ts"
import { type Secrets, scrub } from "./scrub.ts"

export interface Redactor {
  /** Hear of tools before their config is in the log. What was sensitive once stays so. */
  readonly learn: (tools: ReadonlyArray<Described>) => void
  /**
   * Show one event. Order: all events of a session, each once. The end of a delta that may be the beginning of a secret
   * comes with the next.
   */
  readonly event: (event: SessionEvent) => SessionEvent
  /** At the end of a block: what is still to be shown of it, as one more delta. Order: before `event`. */
  readonly rest: (event: SessionEvent) => SessionEvent | undefined
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
  const pieces = Pieces.make()
  let known: Secrets = new Map()
  /** The longest first: one secret may be a part of another. */
  const all = (): Secrets => {
    if (known.size !== secrets.size)
      known = new Map([...secrets].sort(([left], [right]) => right.length - left.length))
    return known
  }
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
    if (given.type === "block-end") pieces.rest(given.block)
    if (!("text" in given)) return { ...place, chunk: given }
    return given.type === "arguments-delta" && hidden.has(given.block)
      ? { ...place, chunk: { ...given, text: "" } }
      : { ...place, chunk: pieces.next(given, all()) }
  }
  const rest: Redactor["rest"] = (event) => {
    if (event.type !== "assistant/chunk" || event.data.chunk.type !== "block-end") return undefined
    const delta = pieces.rest(event.data.chunk.block)
    return delta === undefined ? undefined : { ...event, data: { ...event.data, chunk: delta } }
  }
  const mark = (event: SessionEvent): SessionEvent => {
    switch (event.type) {
      case "request/config":
        learn(event.data.tools)
        return event
      case "step/start":
        hidden.clear()
        pieces.clear()
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
        return isUnknown(event) ? { ...event, data: digest(event.data) } : event
    }
  }
  return {
    learn,
    event: (event) => {
      const marked = mark(event)
      return scrub(hasSecrets() ? withKeyed(marked, digest) : marked, all())
    },
    rest,
    args: (tool, args) => maskOf(tool)?.(args, replace) ?? args,
  }
}

const isUnknown = (event: SessionEvent): event is ExtensionEvent => event.type.startsWith("~")

/** Who has a digest without a key can test guesses of what it covers. */
const withKeyed = (event: SessionEvent, digest: Redaction["digest"]): SessionEvent => {
  const keyed = <A extends { readonly digest: string }>(data: A): A => ({
    ...data,
    digest: digest(data.digest),
  })
  switch (event.type) {
    case "session/start": {
      const { parent } = event.data
      return parent === undefined ? event : { ...event, data: { ...event.data, parent: keyed(parent) } }
    }
    case "step/start": {
      const { request } = event.data
      return request === undefined ? event : { ...event, data: { ...event.data, request: keyed(request) } }
    }
    case "approval/asked":
      return { ...event, data: keyed(event.data) }
    case "approval/decided":
      return { ...event, data: keyed(event.data) }
    default:
      return event
  }
}

/** Show the events of a whole log, also what was said before its secret was known. */
export const log = (
  redaction: Redaction,
  events: ReadonlyArray<SessionEvent>,
): ReadonlyArray<SessionEvent> => {
  const redactor = make(redaction)
  for (const event of events) redactor.event(event)
  const shown: Array<SessionEvent> = []
  const lastDeltas = new Map<string, number>()
  for (const event of events) {
    const rest = redactor.rest(event)
    if (rest !== undefined) extend(shown, lastDeltas, rest)
    if (event.type === "assistant/chunk" && "text" in event.data.chunk)
      lastDeltas.set(event.data.chunk.block, shown.length)
    shown.push(redactor.event(event))
  }
  return shown
}

/** Put what is left of a block to its last delta: a log has no room for one event more. */
const extend = (
  shown: Array<SessionEvent>,
  lastDeltas: ReadonlyMap<string, number>,
  rest: SessionEvent,
): void => {
  if (rest.type !== "assistant/chunk" || !("text" in rest.data.chunk)) return
  const at = lastDeltas.get(rest.data.chunk.block)
  const last = at === undefined ? undefined : shown[at]
  if (at === undefined || last?.type !== "assistant/chunk" || !("text" in last.data.chunk)) return
  const chunk = { ...last.data.chunk, text: last.data.chunk.text + rest.data.chunk.text }
  shown[at] = { ...last, data: { ...last.data, chunk } }
}

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Units: UTF-16 code units. Shorter texts stand in too many places to be looked for. */
const minSecret = 4

/** Units: secrets of one session. */
const maxSecrets = 1_000

/** Keep every text and number of a secret, to find it where it is repeated. */
const remember = (secrets: Map<string, string>, secret: unknown, digest: Redaction["digest"]): void => {
  if (typeof secret === "string" || typeof secret === "number") {
    const text = String(secret)
    if (text.length >= minSecret && secrets.size < maxSecrets) secrets.set(text, digest(secret))
  } else if (typeof secret === "object" && secret !== null) {
    for (const part of Object.values(secret)) remember(secrets, part, digest)
  }
}
