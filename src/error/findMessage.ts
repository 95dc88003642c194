/**
 * Find the sentence that tells a person what was thrown.
 *
 * In:  any value.      Out: one text, never empty, never `[object Object]`, capped in size.
 * Fails with: nothing.
 * Not here: the stack, the data around the sentence: they stay in the cause. A model and a log read what is said here, and
 * fields hold addresses, keys and people.
 */
import * as Beginning from "./Beginning.ts"
import { statusCode } from "./findCode.ts"
import { chainOf, isObject, issuesOf, nameOf, read, readTag, text } from "./read.ts"

/** Units: UTF-16 code units. */
const maxMessageLength = 4_000

export const findMessage = (thrown: unknown): string =>
  cut(isObject(thrown) ? describe(thrown) : sayPrimitive(thrown))

const sayPrimitive = (thrown: unknown): string => {
  if (typeof thrown === "string") return thrown.trim() === "" ? "An empty text was thrown." : thrown
  if (thrown === undefined || thrown === null) return `No reason was given (${String(thrown)} was thrown).`
  return String(thrown)
}

/** Where libraries put the sentence for people, most telling first. */
const sentenceKeys = [
  "message",
  "error",
  "data",
  "reason",
  "detail",
  "description",
  "title",
  "cause",
] as const

/** Where a tagged error keeps the error behind it; its other fields are data, whatever they are called. */
const innerKeys = ["cause", "error", "reason"] as const

/** Tagged errors of Effect that say where it broke; what broke is in their cause. */
const vague: ReadonlySet<string> = new Set(["UnknownError", "HttpClientError", "SqlError"])

/** What Effect says of a failure that nobody described. */
const saysNothing = /^An error occurred in Effect\.\w+$/

const describe = (thrown: object): string => {
  // Zod's own message is a page of JSON; the issues say the same in a line each.
  const issues = issuesOf(thrown)
  const tag = readTag(thrown)
  if (issues.length > 0 && tag === undefined) return issues.join("; ")
  const sentence = tag === undefined ? sentenceOf(thrown, 0) : taggedSentenceOf(thrown, 0)
  // What has a tag speaks for itself; what has none often says only "fetch failed".
  if (sentence !== undefined && tag !== undefined && !vague.has(tag)) return sentence
  const said = [
    sentence,
    tag === undefined ? undefined : text(read(thrown, "cause")),
    ...chainOf(thrown)
      .slice(1)
      .map((link) => text(read(link, "message"))),
  ].filter((one) => one !== undefined)
  const telling = said.filter((one) => !saysNothing.test(one))
  const news = telling.filter((one, i) => !telling.slice(0, i).some((earlier) => earlier.includes(one)))
  if (news.length > 0) return news.join(": ")
  const status = statusCode(thrown)?.slice("HTTP_".length)
  if (status !== undefined)
    return ["The server answered", status, text(read(thrown, "statusText"))].join(" ").trimEnd()
  return sentence ?? `${nameOf(thrown)} gave no message.`
}

const taggedSentenceOf = (thrown: object, depth: number): string | undefined =>
  text(read(thrown, "message")) ??
  innerKeys
    .map((key) => read(thrown, key))
    .map((inner) => (isObject(inner) ? sentenceOf(inner, depth + 1) : undefined))
    .find((sentence) => sentence !== undefined)

const sentenceOf = (value: unknown, depth: number): string | undefined => {
  if (typeof value === "string") return text(value)
  if (!isObject(value) || depth > 2) return undefined
  if (depth > 0 && readTag(value) !== undefined) return taggedSentenceOf(value, depth)
  for (const key of sentenceKeys) {
    const sentence = sentenceOf(read(value, key), depth + 1)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** As much of a message as a log and a model can bear. */
export const cut = (message: string): string => Beginning.shown(message, maxMessageLength, " …")
