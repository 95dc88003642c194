import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Foreign from "../../src/error/Foreign.ts"
import { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { bodied, call } from "./fixtures.ts"

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
})

/** What a library may throw: an error with anything on it, or anything. */
const thrown = fc.oneof(
  anything,
  fc
    .tuple(
      fc.string(),
      fc.dictionary(
        fc.constantFrom("code", "name", "cause", "status", "_tag", "issues", "errors", "reason"),
        anything,
      ),
    )
    .map(([message, fields]) => {
      const error = new Error(message)
      for (const [key, value] of Object.entries(fields))
        Object.defineProperty(error, key, { value, enumerable: true })
      return error
    }),
)

const ways: Record<string, (value: unknown) => Tool.Tool<string, never, unknown, unknown, never>> = {
  fails: (value) => bodied("t", Effect.fail(value)),
  dies: (value) => bodied("t", Effect.die(value)),
  succeeds: (value) => bodied("t", Effect.succeed(value)),
  throws: (value) =>
    Tool.defineTool({
      name: "t",
      description: "",
      parameters: {},
      run: (): Effect.Effect<void> => {
        throw value
      },
    }),
  rejects: (value) =>
    Tool.defineTool({ name: "t", description: "", parameters: {}, run: () => Promise.reject(value) }),
}

const isResult = Schema.is(ToolExecutionResult)

describe.each(Object.entries(ways))("a body that %s with whatever", (_, make) => {
  it("ends in a result that the log can hold, and the error beside it is the one that it names", async () => {
    await fc.assert(
      fc.asyncProperty(thrown, async (value) => {
        const runner = await Effect.runPromise(ToolRunner.make(Toolbox.make(make(value))))
        const { result, error } = await Effect.runPromise(runner.settle(call("t")))
        expect(isResult(result)).toBe(true)
        expect(JSON.parse(JSON.stringify(result))).toEqual(result)
        expect(result.isError).toBe(result.outcome !== "success")
        expect(result.content.length).toBeGreaterThan(0)
        expect(JSON.stringify(result)).not.toMatch(/\[object \w+\]/)
        if (!result.isError) {
          expect(error).toBeUndefined()
          return
        }
        expect(result.error?.code).toMatch(/^[A-Z][A-Z0-9_]*$/)
        expect(Foreign.normalise(error).code.replace(/^UNKNOWN$/, "TOOL_FAILED")).toBe(result.error?.code)
      }),
    )
  })
})
