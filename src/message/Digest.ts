/**
 * Name a JSON value by what it says: canonical text and its SHA-256.
 *
 * In:  JSON.      Out: RFC 8785 text (keys sorted by UTF-16 code units), and lower-case hex of 64 characters.
 * Not here: what is kept secret by a keyed digest (`Redaction.ts`).
 * Source: docs/adr/0006, why this is synchronous and uses `node:crypto`.
 */
import { createHash, createHmac, randomBytes } from "node:crypto"
import type { Schema } from "effect"

type Json = Schema.Json

/** Write JSON in the one form that equal values share. */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
  return `{${members.join(",")}}`
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The digest of the canonical text. */
export const ofJson = (value: Json): string => sha256(canonical(value))

/** The keyed digest of a value, of its JSON where it has one. Source: RFC 2104, HMAC. */
export const keyed = (key: string | Uint8Array, value: unknown): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(value) ?? String(value))
    .digest("hex")

export const randomKey = (): Uint8Array => randomBytes(32)
