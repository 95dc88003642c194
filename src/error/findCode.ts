/**
 * Find the code by which programs match on what was thrown.
 *
 * In:  any value, and the signal that was handed to the failed work.      Out: a SCREAMING_SNAKE code; `UNKNOWN` when nothing tells.
 * Fails with: nothing.
 * Source: Node "Common system errors", PostgreSQL appendix A (SQLSTATE), WHATWG DOM (`AbortError`, `TimeoutError`).
 */
import { chainOf, issuesOf, nameOf, read, readTag } from "./read.ts"

const maxCodeLength = 64

export const findCode = (thrown: unknown, signal: AbortSignal | undefined): string => {
  const tag = readTag(thrown)
  if (tag === undefined) return foreignCode(thrown, signal) ?? nameCode(thrown) ?? "UNKNOWN"
  const own = stableCode(read(thrown, "code"))
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
  const names = chain.map(nameOf)
  if (names.includes("AbortError") && read(read(signal, "reason"), "name") === "TimeoutError")
    return "TIMEOUT_ERR"
  if (names.includes("TimeoutError")) return "TIMEOUT_ERR"
  if (names.includes("AbortError")) return "ABORT_ERR"
  for (const link of chain) {
    const code = stableCode(read(link, "code")) ?? statusCode(link) ?? endCode(link)
    if (code !== undefined) return code
  }
  return undefined
}

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

const stableCode = (code: unknown): string | undefined => {
  if (typeof code !== "string") return undefined
  if (/^[0-9A-Z]{5}$/.test(code) && /[0-9]/.test(code) && code !== "E2BIG") return `SQLSTATE_${code}`
  return isCode(code) ? code : undefined
}

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
