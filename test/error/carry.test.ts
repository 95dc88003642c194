/** What comes back over a wire says the same as what was sent. */
import { runInNewContext } from "node:vm"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromJson, toJson } from "../../src/error/carry.ts"
import * as Foreign from "../../src/error/Foreign.ts"
import { ToolArgsInvalid, ToolFailed } from "../../src/tool/ToolError.ts"

const sent = (value: unknown): unknown => fromJson(JSON.parse(JSON.stringify(toJson(value))))

const throwing = (): never => {
  throw new Error("no entry")
}
const handler = { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing }
const round: Error & { cause?: unknown } = new Error("a")
round.cause = new Error("b", { cause: round })
const deep = Array.from({ length: 50 }).reduce<Error>(
  (cause, _, i) => new Error(`level ${i}`, { cause }),
  new Error("end"),
)
const aborted = new DOMException("stop", "AbortError")

const kinds: ReadonlyArray<readonly [string, unknown]> = [
  ["an errno", Object.assign(new Error("x"), { code: "ENOENT", errno: -2, path: "a.txt" })],
  [
    "a failed fetch",
    new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
  ],
  [
    "an aggregate",
    new AggregateError([Object.assign(new Error("x"), { code: "EIO" }), new Error("y")], "all"),
  ],
  [
    "an HTTP client's error",
    Object.assign(new Error("bad"), { response: { status: 429, headers: { cookie: "secret" } } }),
  ],
  [
    "an HTTP client's error with a code that tells less than its status",
    Object.assign(new Error("bad"), { code: "ERR_BAD_REQUEST", response: { status: 404 } }),
  ],
  ["an error of mysql2", Object.assign(new Error("x"), { code: "ER_DUP_ENTRY", sqlState: "23000" })],
  ["an abort", aborted],
  ["a number as code", Object.assign(new Error("busy"), { code: 503 })],
  ["an error of another realm", runInNewContext("Object.assign(new RangeError('x'), { code: 'E_X' })")],
  ["a frozen error", Object.freeze(Object.assign(new Error("x"), { code: "EPERM" }))],
  ["a tagged object", { _tag: "NoSuchRow", key: 7 }],
  ["one of ours", new ToolArgsInvalid({ message: "m", tool: "t", violations: [] })],
  ["one of ours with a cause", new ToolFailed({ message: "m", tool: "t", code: "EIO", cause: aborted })],
  ["causes in a circle", round],
  ["a long chain", deep],
  ["what throws at every touch", new Proxy(new Error("x"), handler)],
  ["a string", "boom"],
  ["nothing", undefined],
  ["an object", { name: "RetryTimeout", data: { message: "gave up after 7 tries" } }],
]

describe("a cause that was carried", () => {
  it.each(kinds)("has the name, code and message it had: %s", (_, value) => {
    const { name, code } = Foreign.normalise(value)
    expect(Foreign.normalise(sent(value))).toMatchObject(value === undefined ? {} : { name, code })
  })

  it.each(kinds)("is the same when it is carried on: %s", (_, value) => {
    const once = sent(value)
    expect(toJson(sent(once))).toEqual(toJson(once))
  })

  it("keeps small data of its own, and leaves requests and answers behind", () => {
    const json = JSON.stringify(toJson(kinds[3]?.[1]))
    expect(json).not.toContain("secret")
    expect(sent(kinds[0]?.[1])).toMatchObject({ code: "ENOENT", errno: -2, path: "a.txt" })
  })

  it("leaves behind what may be a secret, whatever it is called", () => {
    const secrets = {
      apiKey: "s3cret",
      token: "s3cret",
      password: "s3cret",
      url: "https://x?key=s3cret",
      cmd: "s3cret",
    }
    const below = Object.assign(new Error("below"), { ...secrets, exitCode: 2 })
    const thrown = Object.assign(new Error("above", { cause: below }), {
      ...secrets,
      data: secrets,
      issues: [{ path: ["password"], message: "Too short", input: "s3cret" }],
      status: 404,
      errors: [Object.assign(new Error("beside"), secrets)],
    })
    expect(JSON.stringify(toJson(thrown))).not.toContain("s3cret")
    expect(sent(thrown)).toMatchObject({
      status: 404,
      issues: [{ path: ["password"], message: "Too short" }],
      cause: { exitCode: 2 },
    })
  })

  it("keeps the sentence of an error whose own message is empty", () => {
    const thrown = Object.assign(new Error(""), { data: { message: "gave up after 7 tries" } })
    expect(Foreign.normalise(sent(thrown)).message).toBe(Foreign.normalise(thrown).message)
  })

  it("is an error whose causes and gathered errors are errors", () => {
    const back = sent(kinds[2]?.[1])
    expect(back).toBeInstanceOf(Error)
    expect(back).toHaveProperty("errors.0.code", "EIO")
    expect(sent(kinds[1]?.[1])).toHaveProperty("cause.code", "ECONNREFUSED")
  })

  it("has no member that JSON smuggled in", () => {
    const back = fromJson(JSON.parse('{"name":"X","message":"m","__proto__":{"isAdmin":true},"stack":"s"}'))
    expect(back).not.toHaveProperty("isAdmin")
    expect(back).toHaveProperty("stack", "X: m")
  })

  it("is capped, however large and deep", () => {
    const wide = Object.assign(new Error("x".repeat(100_000)), {
      data: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, ["y".repeat(9_000)]])),
    })
    expect(JSON.stringify(toJson(wide)).length).toBeLessThan(20_000)
    expect(JSON.stringify(toJson(deep)).match(/level/g)).toHaveLength(9)
  })

  it("comes to an end, where its causes or its data branch without one", () => {
    const many = (made: () => unknown) => Array.from({ length: 8 }, made)
    const errors = (): object =>
      new Proxy(new Error("x"), {
        get: (target, key) => (key === "errors" ? many(errors) : Reflect.get(target, key)),
      })
    const nested = (): object => new Proxy([], { get: (_, key) => (key === "length" ? 32 : nested()) })
    const members = (): object =>
      new Proxy({ a: 1, b: 1, c: 1 }, { get: (_, key) => (key === "toJSON" ? undefined : members()) })
    for (const made of [errors, nested, members]) {
      expect(JSON.stringify(toJson(made())).length).toBeLessThan(100_000)
    }
  })

  it("is JSON, whatever it was", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
        (value) => {
          const json = toJson(Object.assign(new Error("x"), { data: value, cause: value }))
          expect(JSON.parse(JSON.stringify(json))).toEqual(json)
        },
      ),
    )
  })
})
