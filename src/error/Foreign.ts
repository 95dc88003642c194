/**
 * What somebody else threw, said once in one shape that programs can match on.
 *
 * In:  any value at all, also one that throws when it is read.      Out: `{ name, code, message }`, each of them usable text.
 * Fails with: nothing.
 * Not here: which error class it becomes (`tool/`, `model/`), what the model reads of it (`tool/describe.ts`).
 * Source: Node "Common system errors", PostgreSQL appendix A (SQLSTATE), WHATWG DOM (`AbortError`, `TimeoutError`).
 */

export interface Foreign {
  /** The tag or the class name of what was thrown. */
  readonly name: string
  /** `ENOENT`, `HTTP_404`, `SQLSTATE_23505`, `TIMEOUT_ERR` …, or the name in upper snake; `UNKNOWN` when nothing tells. */
  readonly code: string
  /** One text, never empty, never `[object Object]`. */
  readonly message: string
}

/** Units: UTF-16 code units. */
const maxMessageLength = 4_000
const maxCodeLength = 64
const maxDepth = 8

/**
 * Normalise what was thrown or failed with.
 *
 * A `signal` that was handed to the failed work tells a time-out from a cancellation better than the error does.
 */
export const normalise = (thrown: unknown, signal?: AbortSignal): Foreign => ({
  name: nameOf(thrown),
  code: codeOf(thrown, signal),
  message: messageOf(thrown),
})

/** Read the `_tag` of a value, if it has a usable one. */
export const tagOf = (thrown: unknown): string | undefined => text(read(thrown, "_tag"))

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

const codeOf = (thrown: unknown, signal: AbortSignal | undefined): string => {
  const tag = tagOf(thrown)
  if (tag === undefined) return foreignCode(thrown, signal) ?? nameCode(nameOf(thrown)) ?? "UNKNOWN"
  const own = stableCode(read(thrown, "code"))
  if (own !== undefined) return own
  if (wrappers.has(tag))
    return foreignCode(thrown, signal) ?? platformCode(thrown) ?? toCode(tag) ?? "UNKNOWN"
  return toCode(tag) ?? "UNKNOWN"
}

/** Tagged errors of Effect that stand for whatever lies under them. */
const wrappers: ReadonlySet<string> = new Set([
  "PlatformError",
  "SqlError",
  "HttpClientError",
  "UnknownError",
])

/** `Error` itself says nothing. */
const nameCode = (name: string): string | undefined => (name === "Error" ? undefined : toCode(name))

const foreignCode = (thrown: unknown, signal: AbortSignal | undefined): string | undefined => {
  const chain = chainOf(thrown)
  const names = chain.map(nameOf)
  if (names.includes("AbortError") && read(read(signal, "reason"), "name") === "TimeoutError")
    return "TIMEOUT_ERR"
  if (names.includes("TimeoutError")) return "TIMEOUT_ERR"
  if (names.includes("AbortError")) return "ABORT_ERR"
  for (const link of chain) {
    const code = stableCode(read(link, "code")) ?? statusCode(link)
    if (code !== undefined) return code
  }
  return undefined
}

const stableCode = (code: unknown): string | undefined => {
  if (typeof code !== "string") return undefined
  if (/^[0-9A-Z]{5}$/.test(code) && /[0-9]/.test(code) && code !== "E2BIG") return `SQLSTATE_${code}`
  return /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code) && code.length <= maxCodeLength ? code : undefined
}

const statusCode = (link: unknown): string | undefined => {
  const places = [link, read(link, "response")].flatMap((place) => statusKeys.map((key) => read(place, key)))
  const status = places.find((place) => typeof place === "number" && place >= 400 && place <= 599)
  return status === undefined ? undefined : `HTTP_${String(status)}`
}

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
  const reason = tagOf(read(thrown, "reason"))
  return reason === undefined ? undefined : errnoByReason.get(reason)
}

/** The value, what caused it, and what it gathers, nearest first. */
const chainOf = (thrown: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > maxDepth || chain.includes(value)) return
    chain.push(value)
    visit(read(value, "reason"), depth + 1)
    visit(read(value, "cause"), depth + 1)
    const gathered = read(value, "errors")
    if (isArray(gathered)) for (let i = 0; i < maxDepth; i++) visit(read(gathered, i), depth + 1)
  }
  visit(thrown, 0)
  return chain
}

/** A class that forgot to set its name is called by its constructor's. */
const nameOf = (thrown: unknown): string => {
  const own = tagOf(thrown) ?? text(read(thrown, "name"))
  if (own !== undefined && own !== "Error") return own
  const made = text(read(read(thrown, "constructor"), "name"))
  return made === undefined || plain.has(made) ? "Error" : made
}

const plain: ReadonlySet<string> = new Set(["Object", "Array", "Function"])

const messageOf = (thrown: unknown): string => cut(isObject(thrown) ? describe(thrown) : sayPrimitive(thrown))

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

const describe = (thrown: object): string => {
  const sentences = [
    sentenceOf(thrown, 0),
    ...chainOf(thrown)
      .slice(1)
      .map((link) => text(read(link, "message"))),
  ]
  const said = sentences.filter((sentence) => sentence !== undefined)
  const news = said.filter((sentence, i) => !said.slice(0, i).some((earlier) => earlier.includes(sentence)))
  if (news.length > 0) return news.join(": ")
  const status = statusCode(thrown)?.slice("HTTP_".length)
  if (status !== undefined)
    return ["The server answered", status, text(read(thrown, "statusText"))].join(" ").trimEnd()
  return asJson(thrown) ?? `${nameOf(thrown)} was thrown, without a message.`
}

const sentenceOf = (value: unknown, depth: number): string | undefined => {
  if (typeof value === "string") return text(value)
  if (!isObject(value) || depth > 2) return undefined
  for (const key of sentenceKeys) {
    const sentence = sentenceOf(read(value, key), depth + 1)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

const asJson = (value: object): string | undefined => {
  try {
    const json = JSON.stringify(value)
    return json === undefined || json === "{}" || json === "[]" ? undefined : json
  } catch {
    return undefined
  }
}

/** Never inside a surrogate pair. */
const cut = (message: string): string =>
  message.length <= maxMessageLength
    ? message
    : `${message.slice(0, maxMessageLength).replace(/[\uD800-\uDBFF]$/, "")} …`

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" && value !== "[object Object]" ? value : undefined

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

const isArray = (value: unknown): boolean => {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Getters and proxies may throw; what cannot be read is not there. */
const read = (value: unknown, key: PropertyKey): unknown => {
  if (!isObject(value)) return undefined
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}
