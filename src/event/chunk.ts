/**
 * The short way for the one event that comes by the thousand: deltas of a stream.
 *
 * In:  a payload that may be an `assistant/chunk` with a delta.      Out: its frozen copy, or undefined for "look closer".
 * Not here: the full check, which decides whatever this does not; a property test holds both together.
 */
import type { Payload } from "./SessionEvent.ts"

const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isOrdinal = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

const isDelta = (type: unknown): type is "text-delta" | "reasoning-delta" | "arguments-delta" =>
  type === "text-delta" || type === "reasoning-delta" || type === "arguments-delta"

export const copyDelta = (data: unknown): Payload<"assistant/chunk"> | undefined => {
  if (!isPlain(data) || Object.keys(data).length !== 3) return undefined
  const { turn, step, chunk } = data
  if (!isOrdinal(turn) || !isOrdinal(step)) return undefined
  if (!isPlain(chunk) || Object.keys(chunk).length !== 3) return undefined
  const { type, block, text } = chunk
  if (!isDelta(type) || typeof block !== "string" || block === "" || typeof text !== "string")
    return undefined
  return Object.freeze({ turn, step, chunk: Object.freeze({ type, block, text }) })
}
