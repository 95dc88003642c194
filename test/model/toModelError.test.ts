import { createServer } from "node:net"
import { inspect } from "node:util"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import type { ModelError } from "../../src/model/ModelError.ts"
import { toModelError } from "../../src/model/toModelError.ts"
import { ask, connect, type Dialect, key } from "./answers.ts"
import { chat, type Reply, serve } from "./replay.ts"

const errorOf = (dialect: Dialect, reply: Reply) =>
  Effect.gen(function* () {
    const { url, requests } = yield* serve(reply)
    const { error } = yield* ask(yield* connect(dialect, url))
    return { error, attempts: requests.length }
  }).pipe(Effect.scoped)

const body = (message: string) => [JSON.stringify({ type: "error", error: { message, type: "some_error" } })]

const statuses: ReadonlyArray<readonly [number, string, ModelError["code"]]> = [
  [400, "tools.0 is not valid", "MODEL_REFUSED"],
  [400, "This model's maximum context length is 8192 tokens", "MODEL_CONTEXT_OVERFLOW"],
  [400, "prompt is too long: 300000 tokens > 200000", "MODEL_CONTEXT_OVERFLOW"],
  [401, "no such key", "MODEL_UNAUTHORIZED"],
  [403, "not allowed here", "MODEL_UNAUTHORIZED"],
  [404, "no such model", "MODEL_REFUSED"],
  [413, "too large", "MODEL_CONTEXT_OVERFLOW"],
  [429, "slow down", "MODEL_RATE_LIMITED"],
  [500, "it broke", "MODEL_OVERLOADED"],
  [529, "too busy", "MODEL_OVERLOADED"],
]

for (const dialect of ["openai", "deepseek", "anthropic"] as const) {
  describe(`an error of ${dialect}`, () => {
    it.effect.each(statuses)("%i, %s, is %s and is asked once", ([status, message, code]) =>
      Effect.gen(function* () {
        const { error, attempts } = yield* errorOf(dialect, { status, body: body(message) })
        expect(error).toMatchObject({ code, status, message: `the provider answered ${status}: ${message}` })
        expect(attempts).toBe(1)
      }),
    )

    it.effect("keeps nothing of the request and no key, wherever the provider repeats it", () =>
      Effect.gen(function* () {
        const { error } = yield* errorOf(dialect, {
          status: 401,
          headers: { "x-echo": `Bearer ${key}` },
          body: body(`bad key ${key}, also sk-abcdef123456 and Bearer abc.def`),
        })
        const all = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${String(error)} ${error?.stack}`
        expect(error?.message).toBe(
          "the provider answered 401: bad key [redacted], also [redacted] and Bearer [redacted]",
        )
        for (const secret of [key, "sk-abc", "abc.def", "x-echo", "You are terse", "requestBodyValues"]) {
          expect(all).not.toContain(secret)
        }
        expect(error?.cause).toMatchObject({ name: "AI_APICallError" })
      }),
    )

    it.effect("with a body that is no JSON is one line", () =>
      Effect.gen(function* () {
        const { error } = yield* errorOf(dialect, {
          status: 502,
          body: ["<html>\n<h1>Bad gateway</h1>\n</html>"],
        })
        expect(error?.code).toBe("MODEL_OVERLOADED")
        expect(error?.message).toMatch(/^the provider answered 502: [^\n]*Bad [gG]ateway/)
      }),
    )
  })
}

const retryAfter: ReadonlyArray<readonly [Readonly<Record<string, string>>, number | undefined]> = [
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  [{ "retry-after": "Thu, 01 Jan 1970 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
]

describe("a wait that the provider asks for", () => {
  it.effect.each(retryAfter)("%o is read", ([headers, millis]) =>
    Effect.gen(function* () {
      const { error } = yield* errorOf("openai", { status: 429, headers, body: body("slow down") })
      expect(error?._tag).toBe("ModelRateLimited")
      expect(error?.retryAfterMillis).toBe(millis)
    }),
  )
})

/** A port of which nobody listens any more. */
const deadUrl = Effect.callback<string>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(`http://127.0.0.1:${port}`)))
  })
})

describe("a provider that cannot be reached", () => {
  it.effect.each(["openai", "deepseek", "anthropic"] as const)("is told with its code, by %s", (dialect) =>
    Effect.gen(function* () {
      const { error } = yield* ask(yield* connect(dialect, yield* deadUrl))
      expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retry: "later" })
      expect(error?.message).toContain("ECONNREFUSED")
      expect(error?.cause).toMatchObject({ code: "ECONNREFUSED" })
    }),
  )

  it.effect.each(["openai", "deepseek", "anthropic"] as const)(
    "because fetch does not try its port is told, by %s",
    (dialect) =>
      Effect.gen(function* () {
        const { error } = yield* ask(yield* connect(dialect, "http://127.0.0.1:9"))
        expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retry: "later" })
        expect(error?.message).toContain("bad port")
      }),
  )

  it.effect("breaks off in the middle", () =>
    Effect.gen(function* () {
      const half = chat({ content: "Now" }).slice(0, 1)
      const { error } = yield* errorOf("openai", { body: half, end: "break" })
      expect(error?.code).toBe("MODEL_UNREACHABLE")
    }),
  )
})

const answered = { answered: true, now: 0, secrets: [] }
const named = (name: string, message = "m") => Object.assign(new Error(message), { name })

const thrown: ReadonlyArray<readonly [string, unknown, boolean, ModelError["code"]]> = [
  ["an abort that nobody here asked for", named("AbortError"), true, "MODEL_INTERRUPTED"],
  ["a time-out of the platform", named("TimeoutError"), false, "MODEL_TIMED_OUT"],
  [
    "silence of the body",
    Object.assign(new Error("m"), { code: "UND_ERR_BODY_TIMEOUT" }),
    true,
    "MODEL_TIMED_OUT",
  ],
  ["an unsupported part", named("AI_UnsupportedFunctionalityError"), false, "MODEL_REFUSED"],
  [
    "a wrong image URL",
    Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" }),
    false,
    "MODEL_REFUSED",
  ],
  ["a key that is not there", named("AI_LoadAPIKeyError"), false, "MODEL_UNAUTHORIZED"],
  ["anything else in a stream", named("AI_TypeValidationError"), true, "MODEL_PROTOCOL_VIOLATED"],
  ["anything else before it", new Error("m"), false, "MODEL_PROTOCOL_VIOLATED"],
  ["plain text", "m", true, "MODEL_PROTOCOL_VIOLATED"],
  ["nothing at all", undefined, true, "MODEL_PROTOCOL_VIOLATED"],
  ["an error part with a status for a code", { message: "m", code: 429 }, true, "MODEL_RATE_LIMITED"],
  [
    "an error part with a word for a type",
    { message: "m", type: "rate_limit_error" },
    true,
    "MODEL_RATE_LIMITED",
  ],
  ["an error part about the key", { message: "m", type: "authentication_error" }, true, "MODEL_UNAUTHORIZED"],
  [
    "an error part about the context",
    { message: "context length exceeded", code: "context_length_exceeded" },
    true,
    "MODEL_CONTEXT_OVERFLOW",
  ],
]

describe("what a provider's package throws", () => {
  it.each(thrown)("%s", (_, error, hasAnswered, code) => {
    expect(toModelError(error, { ...answered, answered: hasAnswered }).code).toBe(code)
  })

  it("is cut to a line that a terminal bears", () => {
    const { message } = toModelError(new Error("x\n".repeat(5000)), answered)
    expect(message.length).toBeLessThan(300)
    expect(message).not.toContain("\n")
  })

  it("holds no part of a key where it is cut", () => {
    for (let before = 200; before < 260; before++) {
      const { message, cause } = toModelError(new Error(`${"x".repeat(before)} ${key}`), {
        ...answered,
        secrets: [key],
      })
      expect(`${message} ${inspect(cause)}`).not.toContain(key.slice(0, 3))
    }
  })

  it("may have itself as its cause", () => {
    const error = new Error("round")
    error.cause = error
    expect(toModelError(error, answered).code).toBe("MODEL_PROTOCOL_VIOLATED")
  })
})
