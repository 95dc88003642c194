/**
 * Say in our words how a provider failed.
 *
 * In:  what `doStream` or its stream threw, or an error part of it: Errors, objects, text.
 * Out: a `ModelError` whose message is one line.
 * Not here: whether to try again (`loop/`).
 *
 * Requests, headers and keys are in a provider's errors. None of them is kept: the cause is a new Error with the name,
 * the redacted message and the code of the old one, and nothing else of it.
 */
import { Predicate } from "effect"
import * as Beginning from "../error/Beginning.ts"
import {
  ModelContextOverflow,
  type ModelError,
  ModelInterrupted,
  ModelOverloaded,
  ModelProtocolViolated,
  ModelRateLimited,
  ModelRefused,
  ModelTimedOut,
  ModelUnauthorized,
  ModelUnreachable,
} from "./ModelError.ts"

export interface Circumstances {
  /** Whether the provider had begun to answer. */
  readonly answered: boolean
  /** Units: epoch milliseconds. */
  readonly now: number
  /** Texts that no message may hold. */
  readonly secrets: ReadonlyArray<string>
}

const contextWords =
  /context.?(length|window|size)|maximum context|prompt is too long|too many tokens|input is too long/i
const timeoutCodes = /^(ETIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT)$/
const networkCodes =
  /^(ECONN\w+|ENOTFOUND|EAI_\w+|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|CERT_\w+|ERR_TLS_\w+|SELF_SIGNED\w*|DEPTH_ZERO\w*|ERR_SSL\w*)$/
/** What a provider's package throws when the request itself cannot be sent as it is. */
const requestFaults =
  /UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel|NoSuchProvider|ERR_INVALID_URL/

/** What providers write into the `type` or `code` of an error that comes within a stream. */
const words: ReadonlyArray<readonly [RegExp, number]> = [
  [/rate_?limit|too_many_requests|insufficient_quota/i, 429],
  [/overloaded|unavailable|server_error|api_error|internal/i, 529],
  [/authentication|api_key|unauthorized|permission/i, 401],
  [/context_length|too_long|invalid_request|not_found/i, 400],
]

export const toModelError = (error: unknown, circumstances: Circumstances): ModelError => {
  const name = text(error, "name")
  const status = statusOf(error)
  const message = lineOf(error, status, circumstances.secrets)
  const cause = causeOf(error, circumstances.secrets)
  if (status !== undefined)
    return ofStatus(status, { message, cause, status }, retryAfterMillis(error, circumstances.now))
  const code = networkCodeOf(error)
  if (name === "TimeoutError" || timeoutCodes.test(code ?? "")) return new ModelTimedOut({ message, cause })
  if (code !== undefined) return new ModelUnreachable({ message, cause })
  if (name === "AbortError") return new ModelInterrupted({ message, cause })
  if (name?.includes("LoadAPIKey")) return new ModelUnauthorized({ message, cause })
  if (isFetchFailure(error)) return new ModelUnreachable({ message, cause })
  const isOurs = !circumstances.answered && requestFaults.test(`${name} ${text(error, "code")}`)
  return isOurs ? new ModelRefused({ message, cause }) : new ModelProtocolViolated({ message, cause })
}

/** `fetch` has no code for an address that it refuses to try; the AI SDK puts words of its own before fetch's. */
const isFetchFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof TypeError ? /fetch/i : /^Cannot connect to API\b/).test(error.message)

interface Fields {
  readonly message: string
  readonly cause: Error
  readonly status: number
}

const ofStatus = (status: number, fields: Fields, retryAfter: number | undefined): ModelError => {
  const waiting = { ...fields, ...(retryAfter !== undefined && { retryAfterMillis: retryAfter }) }
  if (status === 401 || status === 403) return new ModelUnauthorized(fields)
  if (status === 408) return new ModelTimedOut(waiting)
  if (status === 429) return new ModelRateLimited(waiting)
  if (status >= 500) return new ModelOverloaded(waiting)
  if (status === 413 || contextWords.test(fields.message)) return new ModelContextOverflow(fields)
  return new ModelRefused(fields)
}

/** The status of the answer, or the one that the words of an error within a stream amount to. */
const statusOf = (error: unknown): number | undefined => {
  const status = get(error, "statusCode") ?? get(error, "status")
  if (typeof status === "number") return status >= 400 ? status : undefined
  if (error instanceof Error || !Predicate.isObject(error)) return undefined
  const code = get(error, "code")
  if (typeof code === "number" && code >= 400 && code < 600) return code
  const said = `${text(error, "type") ?? ""} ${text(error, "code") ?? ""}`
  return words.find(([pattern]) => pattern.test(said))?.[1]
}

const networkCodeOf = (error: unknown): string | undefined => {
  let current = error
  for (let depth = 0; depth < 8 && current !== undefined; depth++) {
    const code = text(current, "code")
    if (code !== undefined && (networkCodes.test(code) || timeoutCodes.test(code))) return code
    current = get(current, "cause")
  }
  return undefined
}

const lineOf = (error: unknown, status: number | undefined, secrets: ReadonlyArray<string>): string => {
  const said = (typeof error === "string" ? error : text(error, "message")) ?? ""
  const body = text(error, "responseBody") ?? ""
  const isBare = said.trim() === "" || !said.includes(" ")
  const detail = oneLine(redact(isBare && body !== "" ? `${said} ${body}` : said, secrets))
  const code = networkCodeOf(error)
  const what = status === undefined ? "the provider failed" : `the provider answered ${status}`
  const why = code !== undefined && !detail.includes(code) ? ` (${code})` : ""
  return `${what}${detail === "" ? "" : `: ${detail}`}${why}`
}

const causeOf = (error: unknown, secrets: ReadonlyArray<string>): Error => {
  const cause = new Error(oneLine(redact(text(error, "message") ?? "", secrets)))
  cause.name = text(error, "name") ?? "Error"
  cause.stack = `${cause.name}: ${cause.message}`
  const code = networkCodeOf(error) ?? text(error, "code")
  return code === undefined ? cause : Object.assign(cause, { code })
}

const retryAfterMillis = (error: unknown, now: number): number | undefined => {
  const headers = get(error, "responseHeaders")
  const millis = Number.parseFloat(text(headers, "retry-after-ms") ?? "")
  if (millis >= 0) return millis
  const after = text(headers, "retry-after")
  if (after === undefined) return undefined
  const seconds = Number(after)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(after)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const redact = (message: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .filter((secret) => secret.length >= 4)
    .reduce((redacted, secret) => redacted.replaceAll(secret, "[redacted]"), message)
    .replace(/\bBearer\s+\S+/gi, "Bearer [redacted]")
    .replace(/\b(sk|pk|rk)-[\w*-]{6,}/g, "[redacted]")

/** Units: characters. */
const cap = 240

const oneLine = (message: string): string => Beginning.shown(message.replace(/\s+/g, " ").trim(), cap)

const get = (value: unknown, key: string): unknown =>
  Predicate.isObject(value) && key in value ? Reflect.get(value, key) : undefined

const text = (value: unknown, key: string): string | undefined => {
  const found = get(value, key)
  return typeof found === "string" ? found : undefined
}
