/**
 * Put something else in place of certain texts, wherever they stand in an event.
 *
 * In:  an event, texts and what stands for each.      Out: the event itself when it holds none of them.
 * Fails with: nothing.
 * Not here: which texts (`Redactor.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"

export const scrub = (event: SessionEvent, secrets: ReadonlyMap<string, string>): SessionEvent => {
  if (secrets.size === 0) return event
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return cleanText(value, secrets)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [cleanText(key, secrets), clean(member)]),
    )
  }
  // Texts alone become other texts, so that an event keeps its shape: test/redaction/Redactor.test.ts stands behind it.
  return { ...event, data: clean(event.data) } as SessionEvent
}

/** As it is, and as it stands inside JSON that is text. */
const cleanText = (text: string, secrets: ReadonlyMap<string, string>): string => {
  let cleaned = text
  for (const [secret, shown] of secrets) {
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      if (cleaned.includes(form)) cleaned = cleaned.replaceAll(form, () => shown)
    }
  }
  return cleaned
}
