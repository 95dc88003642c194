/** The given names, as a program imports them from the root. Checked by the compiler alone. */
import type { Effect } from "effect"
import {
  defineTool,
  deriveMessages,
  type HarnessError,
  type InferArgs,
  type Message,
  type SchemaSpec,
  type SessionEvent,
  type ToolError,
  type ToolExecutionResult,
  type ToolRunner,
} from "../../src/index.ts"
import { same } from "./same.ts"

const spec = {
  path: { type: "string", required: true },
  lines: { type: "integer" },
} as const satisfies SchemaSpec
same<InferArgs<typeof spec>, { readonly path: string; readonly lines?: number }>(true)

declare const countLines: (path: string) => Effect.Effect<number, "ENOENT", "Files">

const read = defineTool({
  name: "read",
  description: "Read a file",
  parameters: spec,
  run: ({ path }) => countLines(path),
})
same<(typeof read)["name"], "read">(true)
same<ReturnType<(typeof read)["body"]>, Effect.Effect<number, "ENOENT", "Files">>(true)

same<NonNullable<ToolExecutionResult["error"]>, { readonly name: string; readonly code: string }>(true)
same<ReturnType<ToolRunner.ToolRunner["execute"]>, Effect.Effect<ToolExecutionResult>>(true)
same<typeof deriveMessages, (events: Iterable<SessionEvent.SessionEvent>) => ReadonlyArray<Message.Message>>(
  true,
)

same<ToolError.ToolTimedOut["code"], "TOOL_TIMEOUT">(true)
same<HarnessError["retry"], "never" | "later" | "now">(true)
