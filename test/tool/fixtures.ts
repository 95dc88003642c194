/**
 * Tools, calls and small tests that the tests of this room share.
 */
import { Effect } from "effect"
import type { ToolCall } from "../../src/message/ToolCall.ts"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"

/** A tool that needs nothing. */
export type Free = Tool.Tool<string, never, unknown, unknown, never>

export const call = (name: string, args: unknown = {}, callId = "c1"): ToolCall => ({
  callId,
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args),
})

/** A tool without parameters, with the body given. */
export const bodied = <O, E, R>(
  name: string,
  body: Effect.Effect<O, E, R>,
): Tool.Tool<string, object, O, E, R> =>
  Tool.defineTool({ name, description: "", parameters: {}, run: () => body })

export const add = Tool.defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: { left: { type: "number", required: true }, right: { type: "number", required: true } },
  run: ({ left, right }) => Effect.succeed({ sum: left + right }),
})

/** Run one call of one tool to its result. */
export const execute = <R>(
  tool: Tool.Tool<string, never, unknown, unknown, R>,
  args: unknown = {},
): Effect.Effect<ToolExecutionResult, never, R> =>
  Effect.flatMap(ToolRunner.make(Toolbox.make(tool)), (runner) => runner.execute(call(tool.name, args)))

export const textOf = (result: ToolExecutionResult): string =>
  result.content.map((block) => (block.type === "text" ? block.text : `<${block.mediaType}>`)).join("")
