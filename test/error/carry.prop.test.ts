import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromJson, toJson } from "../../src/error/carry.ts"
import * as Foreign from "../../src/error/Foreign.ts"

const field = fc.oneof(
  fc.constantFrom(
    "ENOENT",
    "23505",
    "AbortError",
    "TimeoutError",
    "not a code",
    "SIGKILL",
    "[object Object]",
    "",
  ),
  fc.constantFrom(404, 503, 7, 0),
  fc.jsonValue(),
)
const keys = [
  "code",
  "name",
  "_tag",
  "status",
  "signal",
  "cmd",
  "exitCode",
  "data",
  "reason",
  "issues",
  "path",
  "retry",
]

/** Not more links than are looked at for a code. */
const depth = fc.createDepthIdentifier()

/** Errors and things like them, with causes and gathered errors of the same kind. */
const { error } = fc.letrec<{ error: unknown }>((tie) => ({
  error: fc
    .record({
      kind: fc.constantFrom("error", "type error", "plain", "abort"),
      message: fc.string(),
      fields: fc.dictionary(fc.constantFrom(...keys), field, { maxKeys: 4 }),
      cause: fc.option(tie("error"), { nil: undefined, maxDepth: 2, depthIdentifier: depth }),
      errors: fc.option(fc.array(tie("error"), { maxLength: 2 }), {
        nil: undefined,
        maxDepth: 2,
        depthIdentifier: depth,
      }),
    })
    .map(({ kind, message, fields, cause, errors }) => {
      const made: object =
        kind === "plain"
          ? { message }
          : kind === "abort"
            ? new DOMException(message, "AbortError")
            : kind === "error"
              ? new Error(message)
              : new TypeError(message)
      const all = {
        ...fields,
        ...(cause !== undefined && { cause }),
        ...(errors !== undefined && { errors }),
      }
      for (const [key, value] of Object.entries(all)) {
        Object.defineProperty(made, key, { value, enumerable: true, configurable: true })
      }
      return made
    }),
}))

const sent = (value: unknown): unknown => fromJson(JSON.parse(JSON.stringify(toJson(value))))

const stoppedBeside404 = Object.assign(new Error(""), {
  cause: new DOMException("", "TimeoutError"),
  errors: [Object.assign(new Error(""), { code: 404 })],
})

describe("a cause that is carried", () => {
  it("keeps its name and its code, and those of its cause", () => {
    fc.assert(
      fc.property(error, (value) => {
        const facts = (one: unknown) => {
          const { name, code } = Foreign.normalise(one)
          return { name, code }
        }
        expect(facts(sent(value))).toEqual(facts(value))
      }),
      // A stop that ranks below an errno which stands beside it, further down.
      { examples: [[{ message: "", errors: [stoppedBeside404] }]] },
    )
  })

  it("is carried on as it came", () => {
    fc.assert(
      fc.property(error, (value) => {
        const once = toJson(sent(value))
        expect(toJson(fromJson(once))).toEqual(once)
      }),
    )
  })
})
