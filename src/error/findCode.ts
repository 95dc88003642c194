/**
 * Find the code by which programs match on what was thrown.
 *
 * In:  any value, and the signal that was handed to the failed work.      Out: a SCREAMING_SNAKE code; `UNKNOWN` when nothing tells.
 * Fails with: nothing.
 * Source: Node "Common system errors", PostgreSQL appendix A (SQLSTATE), WHATWG DOM (`AbortError`, `TimeoutError`).
 */
import { causesOf, chainOf, issuesOf, nameOf, read, readTag } from "./read.ts"

const maxCodeLength = 64

export const findCode = (thrown: unknown, signal: AbortSignal | undefined): string => {
  const tag = readTag(thrown)
  if (tag === undefined) return foreignCode(thrown, signal) ?? nameCode(thrown) ?? "UNKNOWN"
  const own = stableCode(thrown)
  if (own !== undefined) return own
  if (wrappers.has(tag))
    return (
      foreignCode(thrown, signal) ??
      platformCode(thrown) ??
      nameCode(read(thrown, "cause")) ??
      toCode(tag) ??
      "UNKNOWN"
    )
  return toCode(tag) ?? "UNKNOWN"
}

/** Write a name as a code: `NoSuchRow` as `NO_SUCH_ROW`; nothing when no letter is left. */
export const toCode = (name: string): string | undefined => {
  const code = name
    .slice(0, maxCodeLength)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^[_0-9]+|_+$/g, "")
    .toUpperCase()
  return code === "" ? undefined : code
}

/** Tagged errors of Effect that stand for whatever lies under them. */
const wrappers: ReadonlySet<string> = new Set([
  "PlatformError",
  "SqlError",
  "HttpClientError",
  "UnknownError",
  "TimeoutError",
])

/** `Error` itself says nothing; a bare list of issues says that something was checked. */
const nameCode = (thrown: unknown): string | undefined => {
  const name = nameOf(thrown)
  if (name !== "Error") return toCode(name)
  return issuesOf(thrown).length > 0 ? "VALIDATION_FAILED" : undefined
}

const foreignCode = (thrown: unknown, signal: AbortSignal | undefined): string | undefined => {
  const chain = chainOf(thrown)
  // Of several errors at once an abort is often the consequence of another, which says why.
  return (
    stopCode(causesOf(thrown), signal) ??
    chain
      .filter((link) => !isStop(link))
      .map(linkCode)
      .find((code) => code !== undefined) ??
    stopCode(chain, signal)
  )
}

/** That it was stopped, and whether time did it. */
const stopCode = (chain: ReadonlyArray<unknown>, signal: AbortSignal | undefined): string | undefined => {
  const names = chain.map(nameOf)
  const isAborted = names.includes("AbortError")
  const isLate = isAborted && read(read(signal, "reason"), "name") === "TimeoutError"
  if (isLate || names.includes("TimeoutError")) return "TIMEOUT_ERR"
  return isAborted ? "ABORT_ERR" : undefined
}

const isStop = (link: unknown): boolean => ["AbortError", "TimeoutError"].includes(nameOf(link))

const linkCode = (link: unknown): string | undefined => {
  const own = stableCode(link)
  if (own !== undefined && !isVague(own)) return own
  return statusCode(link) ?? own ?? endCode(link)
}

/** Says only that the answer was none that the client wanted; its status says which. Source: axios, got, undici. */
export const isVague = (code: string): boolean => /^(ERR_(BAD|NON)_\w+|UND_ERR_RESPONSE\w*)$/.test(code)

/** How a process ended, when that is what the error is about: `SIGKILL`, `EXIT_127`. */
const endCode = (link: unknown): string | undefined => {
  if (!processKeys.some((key) => isScalar(read(link, key)))) return undefined
  const signal = read(link, "signal")
  if (typeof signal === "string" && /^SIG[A-Z0-9]+$/.test(signal)) return signal
  const exits = [read(link, "exitCode"), read(link, "code"), read(link, "status")]
  const exit = exits.find((one) => isBetween(one, 1, 255))
  return exit === undefined ? undefined : `EXIT_${String(exit)}`
}

/** Only an error of a child process has one of these: `execFile` sets `cmd`, `spawnSync` `pid`, execa `exitCode`. */
const processKeys = ["cmd", "exitCode", "pid"]

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number"

const stableCode = (link: unknown): string | undefined => {
  const code = read(link, "code")
  // An errno tells more than the SQLSTATE of a connection that failed.
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return isCode(code) ? code : undefined
  const state = [read(link, "sqlState"), isSql(link) ? code : undefined].find(isState)
  if (state !== undefined) return `SQLSTATE_${state}`
  return typeof code === "string" && isCode(code) ? code : undefined
}

/** Five characters with a digit. `HY000` says only that something went wrong; the code of the driver says what. */
const isState = (state: unknown): state is string =>
  typeof state === "string" && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(state) && state !== "HY000"

/** Others use five characters too: Prisma's `P2002` is none of SQL. */
const isSql = (link: unknown): boolean =>
  ["severity", "routine", "sqlState"].some((key) => isScalar(read(link, key))) ||
  /sql|postgres|database/i.test(nameOf(link))

/** SCREAMING_SNAKE, and short enough to be a name. */
export const isCode = (code: string): boolean =>
  code.length <= maxCodeLength && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)

export const statusCode = (link: unknown): string | undefined => {
  const places = [link, read(link, "response")].flatMap((place) => statusKeys.map((key) => read(place, key)))
  const status = places.find((place) => isBetween(place, 400, 599))
  return status === undefined ? undefined : `HTTP_${String(status)}`
}

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

/** `code` too: some clients put the number there. */
const statusKeys = ["status", "statusCode", "code"]

/** What Effect's platform calls a system error, by the errno that Node gives for it. */
const errnoByReason = new Map([
  ["AlreadyExists", "EEXIST"],
  ["BadResource", "EBADF"],
  ["Busy", "EBUSY"],
  ["InvalidData", "EILSEQ"],
  ["NotFound", "ENOENT"],
  ["PermissionDenied", "EACCES"],
  ["TimedOut", "ETIMEDOUT"],
  ["UnexpectedEof", "UNEXPECTED_EOF"],
  ["WouldBlock", "EAGAIN"],
  ["WriteZero", "WRITE_ZERO"],
  ["BadArgument", "EINVAL"],
])

const platformCode = (thrown: unknown): string | undefined => {
  const reason = readTag(read(thrown, "reason"))
  return reason === undefined ? undefined : errnoByReason.get(reason)
}
