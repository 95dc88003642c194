/**
 * The short way for the one event that comes by the thousand: pieces of a stream.
 *
 * In:  a payload that may be an `assistant/chunk`.      Out: its frozen copy, or undefined for "look closer".
 * Not here: the full check, which decides whatever this does not, such as `meta`; a property test holds both together.
 */
import type { BlockChunk } from "../message/ModelChunk.ts"
import type { Payload } from "./SessionEvent.ts"

type Members = { readonly [key: string]: unknown }

const isPlain = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Count the members; a list of their names would be made only to be thrown away. */
const sizeOf = (value: Members): number => {
  let size = 0
  for (const _ in value) size++
  return size
}

const isOrdinal = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

const isDelta = (type: unknown): type is "text-delta" | "reasoning-delta" | "arguments-delta" =>
  type === "text-delta" || type === "reasoning-delta" || type === "arguments-delta"

export const copyChunk = (data: unknown): Payload<"assistant/chunk"> | undefined => {
  if (!isPlain(data) || sizeOf(data) !== 3) return undefined
  const { turn, step, chunk } = data
  if (!isOrdinal(turn) || !isOrdinal(step) || !isPlain(chunk)) return undefined
  const copy = copyBlock(chunk)
  return copy && Object.freeze({ turn, step, chunk: Object.freeze(copy) })
}

/** Each property is read once, and each form has so many. */
const copyBlock = (chunk: Members): BlockChunk | undefined => {
  const size = sizeOf(chunk)
  const { type, block } = chunk
  if (typeof block !== "string" || block === "") return undefined
  if (type === "block-end") return size === 2 ? { type, block } : undefined
  if (type === "block-start") return copyStart(chunk, block, size)
  if (!isDelta(type) || size !== 3) return undefined
  const { text } = chunk
  return typeof text === "string" ? { type, block, text } : undefined
}

const copyStart = (chunk: Members, block: string, size: number): BlockChunk | undefined => {
  const { kind } = chunk
  if (kind === "text" || kind === "reasoning")
    return size === 3 ? { type: "block-start", block, kind } : undefined
  if (kind !== "tool-call" || size !== 5) return undefined
  const { callId, name } = chunk
  return typeof callId === "string" && callId !== "" && typeof name === "string"
    ? { type: "block-start", block, kind, callId, name }
    : undefined
}
