import { execFileSync } from "node:child_process"
import { runInNewContext } from "node:vm"
import { it as effectIt } from "@effect/vitest"
import { Cause, Data, Effect, PlatformError } from "effect"
import { describe, expect, it } from "vitest"
import * as Foreign from "../../src/error/Foreign.ts"

class NoSuchRow extends Error {}
class DbDown extends Data.TaggedError("DbDown")<{ readonly url: string }> {}

const errno = (code: string): Error =>
  Object.assign(new Error(`${code}: it did not work`), { code, errno: -2, syscall: "open" })

const system = (tag: PlatformError.SystemErrorTag, cause?: unknown): unknown =>
  new PlatformError.PlatformError(
    new PlatformError.SystemError({
      _tag: tag,
      module: "FileSystem",
      method: "readFile",
      pathOrDescriptor: "a.txt",
      cause,
    }),
  )

const timedOut = new DOMException("The operation was aborted due to timeout", "TimeoutError")
const aborted = new DOMException("This operation was aborted", "AbortError")
const nodeAbort = Object.assign(new Error("aborted"), { name: "AbortError", code: "ABORT_ERR" })
const failedDisk = Object.assign(new Error("disk"), { code: "EIO" })

/** What Zod throws: the message is its issues as JSON. */
const zodIssues = [
  { code: "invalid_type", path: ["user", "age"], message: "Expected number, received string" },
  { code: "custom", path: [], message: "Too many" },
]
const zod = Object.assign(new Error(JSON.stringify(zodIssues)), { name: "ZodError", issues: zodIssues })
const ajv = { errors: [{ instancePath: "/rows/0", message: "must be object" }] }
const valibot = Object.assign(new Error("Invalid"), {
  name: "ValiError",
  issues: [{ message: "Invalid length", path: [{ type: "object", key: "name" }] }],
})

const killed = (): unknown => {
  try {
    return execFileSync(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"], { stdio: "ignore" })
  } catch (error) {
    return error
  }
}

const unknown = new Cause.UnknownError(errno("ECONNRESET"), "An error occurred in Effect.tryPromise")

const codes: ReadonlyArray<readonly [string, unknown, string]> = [
  ["a Node errno", errno("ENOENT"), "ENOENT"],
  ["an errno with a digit that looks like SQLSTATE", errno("E2BIG"), "E2BIG"],
  [
    "a code of Node's own",
    Object.assign(new TypeError("x"), { code: "ERR_INVALID_ARG_TYPE" }),
    "ERR_INVALID_ARG_TYPE",
  ],
  [
    "a failed fetch, by its cause",
    new TypeError("fetch failed", { cause: errno("ECONNREFUSED") }),
    "ECONNREFUSED",
  ],
  [
    "undici's own time-out",
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("x"), { code: "UND_ERR_CONNECT_TIMEOUT" }),
    }),
    "UND_ERR_CONNECT_TIMEOUT",
  ],
  [
    "many addresses that all refuse",
    new TypeError("fetch failed", {
      cause: new AggregateError([errno("ECONNREFUSED"), errno("ECONNREFUSED")]),
    }),
    "ECONNREFUSED",
  ],
  ["an aborted signal", aborted, "ABORT_ERR"],
  ["a signal that timed out", timedOut, "TIMEOUT_ERR"],
  [
    "an abort whose cause is a time-out",
    Object.assign(new Error("aborted", { cause: timedOut }), { name: "AbortError", code: "ABORT_ERR" }),
    "TIMEOUT_ERR",
  ],
  ["a missing file of Effect's platform", system("NotFound"), "ENOENT"],
  ["a forbidden file of Effect's platform", system("PermissionDenied"), "EACCES"],
  ["the errno under a platform error, before its tag", system("PermissionDenied", errno("EROFS")), "EROFS"],
  [
    "a bad argument of Effect's platform",
    new PlatformError.PlatformError(new PlatformError.BadArgument({ module: "Path", method: "join" })),
    "EINVAL",
  ],
  ["an HTTP status", { status: 404 }, "HTTP_404"],
  [
    "an HTTP status of an error's response",
    Object.assign(new Error("bad"), { response: { status: 429 } }),
    "HTTP_429",
  ],
  ["a number as code", { code: 503, message: "busy" }, "HTTP_503"],
  ["a status that is no failure", Object.assign(new Error("odd"), { status: 204 }), "UNKNOWN"],
  [
    "a PostgreSQL error",
    Object.assign(new Error("duplicate key"), { code: "23505", severity: "ERROR" }),
    "SQLSTATE_23505",
  ],
  [
    "axios, by the status of the answer",
    Object.assign(new Error("x"), { name: "AxiosError", code: "ERR_BAD_REQUEST", response: { status: 404 } }),
    "HTTP_404",
  ],
  [
    "axios without an answer",
    Object.assign(new Error("x"), { code: "ERR_BAD_RESPONSE" }),
    "ERR_BAD_RESPONSE",
  ],
  [
    "got, by the status of the answer",
    Object.assign(new Error("x"), { code: "ERR_NON_2XX_3XX_RESPONSE", response: { statusCode: 429 } }),
    "HTTP_429",
  ],
  [
    "undici, by the status of the answer",
    Object.assign(new Error("x"), { name: "ResponseError", code: "UND_ERR_RESPONSE", statusCode: 404 }),
    "HTTP_404",
  ],
  [
    "Prisma, which is no SQLSTATE",
    Object.assign(new Error("x"), { name: "PrismaClientKnownRequestError", code: "P2002" }),
    "P2002",
  ],
  [
    "mysql2, by its SQLSTATE",
    Object.assign(new Error("x"), { code: "ER_DUP_ENTRY", errno: 1062, sqlState: "23000" }),
    "SQLSTATE_23000",
  ],
  [
    "mysql2, when the SQLSTATE says nothing",
    Object.assign(new Error("x"), { code: "ER_DATA_TOO_LONG", sqlState: "HY000" }),
    "ER_DATA_TOO_LONG",
  ],
  [
    "an errno before the SQLSTATE of the connection",
    Object.assign(new Error("x"), { code: "ECONNREFUSED", sqlState: "08S01" }),
    "ECONNREFUSED",
  ],
  ["five digits without a sign of SQL", Object.assign(new Error("x"), { code: "23505" }), "UNKNOWN"],
  ["an abort beside the error that led to it", new AggregateError([aborted, errno("EACCES")]), "EACCES"],
  ["aborts alone", new AggregateError([aborted, aborted]), "ABORT_ERR"],
  [
    "an abort as Node throws it, beside what it follows from",
    new AggregateError([nodeAbort, failedDisk]),
    "EIO",
  ],
  ["aborts alone, as Node throws them", new AggregateError([nodeAbort]), "ABORT_ERR"],
  [
    "an error of another realm",
    runInNewContext("Object.assign(new Error('x'), { code: 'EACCES' })"),
    "EACCES",
  ],
  ["a built-in class of another realm", runInNewContext("new RangeError('x')"), "RANGE_ERROR"],
  ["Zod's issues", zod, "ZOD_ERROR"],
  ["a bare list of issues", ajv, "VALIDATION_FAILED"],
  ["a process that was killed", killed(), "SIGKILL"],
  ["a command that was not found", Object.assign(new Error("x"), { code: 127, cmd: "x" }), "EXIT_127"],
  ["a number that is no exit of a process", Object.assign(new Error("x"), { code: 14 }), "UNKNOWN"],
  ["an error that Effect wrapped", unknown, "ECONNRESET"],
  [
    "an error without a code that Effect wrapped",
    new Cause.UnknownError(new RangeError("far")),
    "RANGE_ERROR",
  ],
  ["nothing that Effect wrapped", new Cause.UnknownError("boom"), "UNKNOWN_ERROR"],
  ["a tag", { _tag: "NoSuchRow" }, "NO_SUCH_ROW"],
  ["a tag with a code of its own", { _tag: "NoSuchRow", code: "ROW_GONE" }, "ROW_GONE"],
  ["a tag whose code is no code", { _tag: "HTTPError", code: "not found!" }, "HTTP_ERROR"],
  ["a class that set no name", new NoSuchRow("x"), "NO_SUCH_ROW"],
  ["a built-in class", new TypeError("x is not a function"), "TYPE_ERROR"],
  ["a bare error", new Error("boom"), "UNKNOWN"],
  ["a string", "boom", "UNKNOWN"],
  ["nothing", undefined, "UNKNOWN"],
]

describe("the code", () => {
  it.each(codes)("of %s", (_, thrown, code) => {
    expect(Foreign.normalise(thrown).code).toBe(code)
  })

  it("is that of a time-out when the signal says so, whatever the error is called", () => {
    const signal = AbortSignal.abort(timedOut)
    expect(Foreign.normalise(aborted, { signal }).code).toBe("TIMEOUT_ERR")
    expect(Foreign.normalise(aborted, { signal: AbortSignal.abort() }).code).toBe("ABORT_ERR")
  })
})

describe("what a second call is worth", () => {
  const response = (status: number): unknown =>
    Object.assign(new Error("x"), { code: "ERR_BAD_REQUEST", response: { status } })

  it.each([
    ["an answer that is not there", response(404), "now"],
    ["too many requests", response(429), "later"],
    ["Zod's issues", zod, "now"],
    ["Valibot's issues", valibot, "now"],
    ["a key that is taken, of Prisma", { name: "PrismaClientKnownRequestError", code: "P2002" }, "now"],
  ])("is told by the code of %s", (_, thrown, retry) => {
    expect(Foreign.retryOf(Foreign.normalise(thrown).code)).toBe(retry)
  })
})

const messages: ReadonlyArray<readonly [string, unknown, string]> = [
  ["an error", new Error("boom"), "boom"],
  [
    "an error and the cause that says more",
    new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }),
    "fetch failed: connect ECONNREFUSED",
  ],
  [
    "a cause that says the same only once",
    new Error("read: gone", { cause: new Error("gone") }),
    "read: gone",
  ],
  [
    "what was gathered, when the whole has no text",
    new AggregateError([new Error("a"), new Error("b")]),
    "a: b",
  ],
  [
    "a tagged error alone",
    Object.assign(new Error("outside", { cause: new Error("/secret/path") }), { _tag: "Outside" }),
    "outside",
  ],
  [
    "the message inside an object",
    { name: "RetryTimeout", data: { message: "gave up after 7 tries" } },
    "gave up after 7 tries",
  ],
  ["an answer without a body", { status: 404, statusText: "Not Found" }, "The server answered 404 Not Found"],
  ["no field of an object without any sentence", { retries: 7 }, "Error gave no message."],
  [
    "no field beside the message inside an object",
    { name: "Db", url: "pg://user:key@db" },
    "Db gave no message.",
  ],
  ["no field of a tagged error", new DbDown({ url: "pg://user:key@db" }), "DbDown gave no message."],
  [
    "no field of a tagged error that looks like a sentence",
    { _tag: "Lost", title: "my diary", data: "secret", reason: "secret", error: "secret" },
    "Lost gave no message.",
  ],
  [
    "the error behind a tagged one without a message, and none of its fields",
    { _tag: "Lost", cause: { _tag: "Down", message: "the line is down", url: "pg://user:key@db" } },
    "the line is down",
  ],
  [
    "an endless chain of tags that say nothing",
    new Proxy({}, { get: (_, key, self) => (key === "_tag" ? "Lost" : key === "message" ? "" : self) }),
    "Lost gave no message.",
  ],
  ["an object that printed itself badly", { message: "[object Object]", error: "disk full" }, "disk full"],
  ["what is in an error that Effect wrapped", unknown, "ECONNRESET: it did not work"],
  ["a text that Effect wrapped", new Cause.UnknownError("boom", "An error occurred in Effect.try"), "boom"],
  [
    "a name, when there is nothing else",
    new Cause.NoSuchElementError(),
    "NoSuchElementError gave no message.",
  ],
  ["Zod's issues", zod, "user.age: Expected number, received string; Too many"],
  ["Ajv's issues", ajv, "rows.0: must be object"],
  ["Valibot's issues", valibot, "name: Invalid length"],
  ["a string", "boom", "boom"],
  ["an empty string", "", "An empty text was thrown."],
  ["undefined", undefined, "No reason was given (undefined was thrown)."],
  ["null", null, "No reason was given (null was thrown)."],
  ["a symbol", Symbol("x"), "Symbol(x)"],
  ["an empty object", {}, "Error gave no message."],
]

describe("the message", () => {
  it.each(messages)("is taken from %s", (_, thrown, message) => {
    expect(Foreign.normalise(thrown).message).toBe(message)
  })

  it("is cut between characters, never inside one", () => {
    const { message } = Foreign.normalise(new Error(`x${"😀".repeat(3_000)}`))
    expect(message.length).toBeLessThan(4_010)
    expect(message).not.toMatch(/\p{Surrogate}/u)
  })
})

describe("the name", () => {
  it("is the tag, else the name, else the class", () => {
    expect(Foreign.normalise({ _tag: "A", name: "B" }).name).toBe("A")
    expect(Foreign.normalise({ name: "RetryTimeout" }).name).toBe("RetryTimeout")
    expect(Foreign.normalise(new NoSuchRow()).name).toBe("NoSuchRow")
    expect(Foreign.normalise(undefined).name).toBe("Error")
  })
})

describe("a value that resists", () => {
  const throwing = (): never => {
    throw new Error("no entry")
  }
  const proxy: unknown = new Proxy(
    {},
    { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing },
  )
  const circle = new Error("round")
  circle.cause = circle
  const endless = (): object =>
    new Proxy({}, { get: (_, key) => (key === "errors" ? Array.from({ length: 8 }, endless) : endless()) })

  it.each([
    ["throws at every touch", proxy],
    ["causes itself", circle],
    [
      "is a revoked proxy",
      (() => {
        const { proxy: gone, revoke } = Proxy.revocable({}, {})
        revoke()
        return gone
      })(),
    ],
    ["branches without end", endless()],
    ["has no prototype", Object.create(null)],
    ["is frozen", Object.freeze({ message: Object.freeze({}) })],
  ])("is still named when it %s", (_, thrown) => {
    const { name, code, message } = Foreign.normalise(thrown)
    for (const text of [name, code, message]) expect(text).toMatch(/\S/)
    expect(message).not.toContain("[object Object]")
    expect(message).not.toBe("undefined")
  })
})

describe("a normaliser of one's own", () => {
  const aws: Foreign.Normaliser = (thrown) =>
    thrown instanceof Error && thrown.name === "ThrottlingException" ? { code: "throttled" } : undefined
  const throttled = Object.assign(new Error("slow down"), { name: "ThrottlingException" })

  it("comes first, and what it leaves out is found as without it", () => {
    expect(Foreign.normalise(throttled, { normalisers: [aws] })).toEqual({
      name: "ThrottlingException",
      code: "THROTTLED",
      message: "slow down",
    })
    expect(Foreign.normalise(errno("ENOENT"), { normalisers: [aws] }).code).toBe("ENOENT")
  })

  it("is passed over when it throws, and cannot empty a field", () => {
    const broken: Foreign.Normaliser = () => {
      throw new Error("bug")
    }
    const empty: Foreign.Normaliser = () => ({ name: "", code: "??", message: " " })
    expect(Foreign.normalise(throttled, { normalisers: [broken, aws] }).code).toBe("THROTTLED")
    expect(Foreign.normalise(throttled, { normalisers: [empty] })).toEqual(Foreign.normalise(throttled))
  })

  effectIt.effect("adds up with those of outer layers, the innermost first", () =>
    Effect.gen(function* () {
      const normalisers = yield* Foreign.Normalisers
      expect(Foreign.normalise(throttled, { normalisers }).code).toBe("INNER")
      expect(Foreign.normalise(errno("ENOENT"), { normalisers }).code).toBe("OUTER")
    }).pipe(
      Effect.provide(Foreign.layer((thrown) => (thrown === throttled ? { code: "INNER" } : undefined))),
      Effect.provide(Foreign.layer(() => ({ code: "OUTER" }))),
    ),
  )
})
