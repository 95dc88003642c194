/**
 * Put something else in place of certain texts, wherever they stand in an event.
 *
 * In:  an event, texts and what stands for each.      Out: an event of the same shape.
 * Fails with: nothing.
 * Not here: which texts (`Redactor.ts`), texts that come in pieces (`pieces.ts`).
 */
import { isCoreType, type SessionEvent } from "../event/SessionEvent.ts"

/** What stands for each secret. */
export type Secrets = ReadonlyMap<string, string>

export const scrub = (event: SessionEvent, secrets: Secrets): SessionEvent => {
  if (secrets.size === 0) return event
  // Texts alone become other texts, so that an event keeps its shape: test/redaction/Redactor.test.ts stands behind it.
  return { ...event, data: clean(event.data, secrets, !isCoreType(event.type)) } as SessionEvent
}

/** Fields that hold any JSON: there keys and numbers too may be a secret. */
const free = new Set(["structured", "parameters", "sensitive", "meta", "before", "after"])

/** Fields whose few words are the vocabulary of the log. */
const vocabulary = new Set(["type", "kind", "outcome", "verdict", "policy", "starts"])

const clean = (value: unknown, secrets: Secrets, isFree: boolean): unknown => {
  if (typeof value === "string") return cleanText(value, secrets)
  if (typeof value === "number") return isFree ? (secrets.get(String(value)) ?? value) : value
  if (Array.isArray(value)) return value.map((item) => clean(item, secrets, isFree))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: readonly [string, unknown]) =>
      isFree
        ? [cleanText(key, secrets), clean(member, secrets, true)]
        : [key, vocabulary.has(key) ? member : clean(member, secrets, free.has(key))],
    ),
  )
}

/** Units: UTF-16 code units. What is shorter is hidden only where it stands alone. */
const minAnywhere = 6

/** As it is, and as it stands inside JSON that is text. */
export const cleanText = (text: string, secrets: Secrets): string => {
  let cleaned = text
  for (const [secret, shown] of secrets) {
    for (const form of formsOf(secret)) {
      if (!cleaned.includes(form)) continue
      cleaned =
        form.length < minAnywhere ? replaceAlone(cleaned, form, shown) : cleaned.replaceAll(form, () => shown)
    }
  }
  return cleaned
}

export const formsOf = (secret: string): ReadonlySet<string> =>
  new Set([secret, JSON.stringify(secret).slice(1, -1)])

/** Not inside a longer word or number. */
const replaceAlone = (text: string, form: string, shown: string): string =>
  text
    .split(form)
    .reduce((before, after, at) =>
      at === 0 ? after : `${before}${isInWord(before, form, after) ? form : shown}${after}`,
    )

const isInWord = (before: string, form: string, after: string): boolean =>
  (/[\p{L}\p{N}_]$/u.test(before) && /^[\p{L}\p{N}_]/u.test(form)) ||
  (/^[\p{L}\p{N}_]/u.test(after) && /[\p{L}\p{N}_]$/u.test(form))
