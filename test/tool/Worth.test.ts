/** What a second call is worth: told by the error itself, else by its code, the same for every kind of body. */
import { it } from "@effect/vitest"
import { Data, Effect, Schema } from "effect"
import { describe, expect } from "vitest"
import { HarnessError, type Retry } from "../../src/error/HarnessError.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolError from "../../src/tool/ToolError.ts"
import { execute, type Free, textOf } from "./fixtures.ts"

class NoteMissing extends HarnessError.extend<NoteMissing>("NoteMissing")({
  _tag: Schema.tag("NoteMissing"),
  title: Schema.String,
}) {
  readonly code = "NOTE_MISSING"
  readonly retry = "now"
}
class NoteBusy extends HarnessError.extend<NoteBusy>("NoteBusy")({ _tag: Schema.tag("NoteBusy") }) {
  readonly code = "ENOENT"
  readonly retry = "later"
}
class NoteClosed extends HarnessError.extend<NoteClosed>("NoteClosed")({ _tag: Schema.tag("NoteClosed") }) {
  readonly code = "NOTE_CLOSED"
  readonly retry = "never"
}
class DbDown extends Data.TaggedError("DbDown")<{ readonly url: string }> {}

const errno = (code: string): Error => Object.assign(new Error("no"), { code })
const http = (status: number): Error => Object.assign(new Error("no"), { status })
const sql = (code: string) => Object.assign(errno(code), { severity: "ERROR" })

const advice = {
  now: "Correct the call and make it again.",
  later: "The same call may work later.",
  never: "The same call would end the same way.",
  unknown: "The same call helps only when the reason for this is gone.",
}

/** What fails, and what is said of another call. */
const failures: ReadonlyArray<readonly [string, unknown, keyof typeof advice]> = [
  ...[400, 404, 409, 410, 413, 422].map((status) => [`HTTP ${status}`, http(status), "now"] as const),
  ...[401, 403, 501].map((status) => [`HTTP ${status}`, http(status), "never"] as const),
  ...[408, 425, 429, 500, 502, 503, 504].map((status) => [`HTTP ${status}`, http(status), "later"] as const),
  ...["ENOENT", "EEXIST", "EINVAL", "EISDIR", "ENOTDIR", "ENOTFOUND", "ERR_INVALID_URL"].map(
    (code) => [code, errno(code), "now"] as const,
  ),
  ...["22P02", "23505", "42601"].map((code) => [code, sql(code), "now"] as const),
  ...["EACCES", "EPERM", "EROFS"].map((code) => [code, errno(code), "never"] as const),
  ...["28P01", "42501"].map((code) => [code, sql(code), "never"] as const),
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "EBUSY",
    "EAI_AGAIN",
    "UND_ERR_SOCKET",
    "TIMEOUT",
    "TIMEOUT_ERR",
  ].map((code) => [code, errno(code), "later"] as const),
  ...["40001", "57014"].map((code) => [code, sql(code), "later"] as const),
  ["a code that nobody knows", errno("SHOP_CLOSED"), "unknown"],
  ["no code", new Error("boom"), "unknown"],
  ["a text", "boom", "unknown"],
  ["a tag", new DbDown({ url: "pg://user:key@db" }), "unknown"],
  ["an error of its own, worth a corrected call", new NoteMissing({ title: "a", message: "none" }), "now"],
  ["an error of its own, whatever its code tells", new NoteBusy({ message: "busy" }), "later"],
  ["an error of its own, worth nothing", new NoteClosed({ message: "closed" }), "never"],
  ["an error that reached it through another tool", ToolError.reported("t", [], "EACCES"), "never"],
]

const failing = (
  error: unknown,
  options?: { readonly while?: ReadonlyArray<string> },
): { tool: Free; runs: () => number }[] => {
  const kinds = [
    (count: () => void) =>
      Tool.defineTool({
        name: "note",
        description: "",
        parameters: {},
        run: () =>
          Effect.suspend(() => {
            count()
            return Effect.fail(error)
          }),
      }),
    (count: () => void) =>
      Tool.defineTool({
        name: "note",
        description: "",
        parameters: {},
        run: async () => {
          count()
          throw error
        },
      }),
  ]
  return kinds.map((make) => {
    let runs = 0
    const tool: Free = make(() => {
      runs++
    })
    return { tool: options === undefined ? tool : tool.pipe(Tool.retry(options)), runs: () => runs }
  })
}

describe("a failure", () => {
  it.effect.each(failures)("of %s is worth the same to a model, whatever the body is", ([, error, worth]) =>
    Effect.gen(function* () {
      const [fromEffect, fromAsync] = yield* Effect.forEach(failing(error), ({ tool }) => execute(tool))
      expect(fromEffect).toMatchObject({
        outcome: "failed",
        content: fromAsync?.content,
        error: fromAsync?.error,
      })
      expect(fromEffect && textOf(fromEffect).split("\n").at(-1)).toBe(advice[worth])
    }),
  )

  it.effect.each(failures)("of %s is run again, unasked, when it may pass", ([, error, worth]) =>
    Effect.forEach(failing(error, {}), ({ tool, runs }) =>
      Effect.map(execute(tool), () => {
        expect(runs()).toBe(worth === "later" || worth === "unknown" ? 2 : 1)
      }),
    ),
  )

  it.effect("is run again by the tag of what was thrown", () =>
    Effect.forEach(
      failing(new NoteMissing({ title: "a", message: "none" }), { while: ["NoteMissing"] }),
      ({ tool, runs }) => Effect.map(execute(tool), () => expect(runs()).toBe(2)),
    ),
  )

  it.effect("of an async body has the retry of what was thrown in its channel, too", () =>
    Effect.forEach(failures, ([, error, worth]) =>
      Effect.gen(function* () {
        const [, { tool } = { tool: undefined }] = failing(error)
        if (tool === undefined) return
        const failed = yield* Effect.flip(Tool.run(tool)("{}"))
        const retry: Retry = worth === "unknown" ? "later" : worth
        expect(failed).toMatchObject({ _tag: "ToolFailed", retry })
      }),
    ),
  )

  it.effect("whose cause throws when it is asked stays a failure, and can be written", () =>
    Effect.gen(function* () {
      const cause = {
        _tag: "Lost",
        get retry(): Retry {
          throw new Error("no entry")
        },
      }
      const error = new ToolError.ToolFailed({ message: "lost", tool: "note", code: "LOST", cause })
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: "LOST", retry: "later" })
      for (const { tool, runs } of failing(error, {})) {
        expect((yield* execute(tool)).outcome).toBe("failed")
        expect(runs()).toBe(2)
      }
    }),
  )

  it.effect("keeps the name and the code of an error of one's own that an async body throws", () =>
    Effect.gen(function* () {
      const [, { tool } = { tool: undefined }] = failing(new NoteMissing({ title: "a", message: "none" }))
      if (tool === undefined) return
      expect((yield* execute(tool)).error).toEqual({ name: "NoteMissing", code: "NOTE_MISSING" })
    }),
  )

  it.effect("whose own class throws when it is asked is worth what its code tells", () =>
    Effect.gen(function* () {
      const error = new NoteBusy({ message: "busy" })
      Object.defineProperty(error, "retry", {
        get: () => {
          throw new Error("no entry")
        },
      })
      for (const { tool, runs } of failing(error, {})) {
        expect((yield* execute(tool)).error).toEqual({ name: "NoteBusy", code: "ENOENT" })
        expect(runs()).toBe(1)
      }
    }),
  )

  it.effect("with a name of megabytes makes a small result", () =>
    Effect.gen(function* () {
      const long = `x${"😀".repeat(1_000_000)}`
      const named = Object.assign(new Error("boom"), { name: long })
      const broken = Tool.defineTool({
        name: "note",
        description: "",
        parameters: {},
        run: () => Effect.die(named),
      })
      const tools = [{ _tag: long }, named].flatMap((error) => failing(error)).map(({ tool }) => tool)
      for (const tool of [...tools, broken]) {
        const result = yield* execute(tool)
        expect(JSON.stringify(result).length).toBeLessThan(1_000)
        expect(result.error?.name).not.toContain("\uFFFD")
        expect(result.error?.name.length).toBeLessThanOrEqual(64)
      }
    }),
  )

  it.effect("tells no field of an error without a message", () =>
    Effect.forEach(failing(new DbDown({ url: "pg://user:key@db" })), ({ tool }) =>
      Effect.map(execute(tool), (result) => {
        expect(textOf(result)).toContain("note failed (DB_DOWN): DbDown gave no message.")
        expect(JSON.stringify(result)).not.toContain("pg://")
      }),
    ),
  )
})

describe("a mistake in the code of a body", () => {
  const mistakes: ReadonlyArray<readonly [string, () => unknown]> = [
    ["a property of nothing", () => JSON.parse("{}").a.b],
    [
      "a name that is not there",
      () => {
        throw new ReferenceError("x is not defined")
      },
    ],
    ["a length that is none", () => "x".repeat(-1)],
  ]

  it.effect.each(mistakes)("%s is a defect, whatever the body is", ([, mistake]) =>
    Effect.gen(function* () {
      const define = (run: () => Effect.Effect<unknown> | Promise<unknown>): Free =>
        Tool.defineTool({ name: "buggy", description: "", parameters: {}, run })
      const fromEffect = yield* execute(define(() => Effect.sync(mistake)))
      const fromAsync = yield* execute(define(async () => mistake()))
      expect(fromEffect).toMatchObject({
        outcome: "defect",
        error: { name: "ToolDefect", code: "TOOL_DEFECT" },
      })
      expect(fromAsync).toMatchObject({ outcome: "defect", content: fromEffect.content })
    }),
  )

  const notMistakes: ReadonlyArray<readonly [string, () => unknown, string]> = [
    ["text that is no JSON", () => JSON.parse("<html>"), "SYNTAX_ERROR"],
    ["a URL that is none", () => new URL("x"), "ERR_INVALID_URL"],
    [
      "a fetch that has a cause",
      () => {
        throw new TypeError("fetch failed", { cause: new Error("bad port") })
      },
      "TYPE_ERROR",
    ],
  ]

  it.effect.each(notMistakes)("%s is none", ([, thrown, code]) =>
    Effect.gen(function* () {
      const tool = Tool.defineTool({ name: "t", description: "", parameters: {}, run: async () => thrown() })
      expect(yield* execute(tool)).toMatchObject({ outcome: "failed", error: { name: "ToolFailed", code } })
    }),
  )
})

describe("Effect.tryPromise", () => {
  it.effect("without a catch tells code and message of what it caught", () =>
    Effect.gen(function* () {
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: () => Effect.tryPromise(() => Promise.reject(errno("ECONNREFUSED"))),
      })
      const result = yield* execute(tool)
      expect(result.error).toEqual({ name: "UnknownError", code: "ECONNREFUSED" })
      expect(textOf(result)).toBe("t failed (ECONNREFUSED): no\nThe same call may work later.")
    }),
  )
})
