import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { defineTool, Tool } from "effect-harness"

const readText = defineTool({
  name: "read_text",
  description: "Read a text file.",
  parameters: { path: { type: "string", required: true } },
  run: async ({ path }, { signal }) => readFile(path, { encoding: "utf8", signal }),
})

const answer = Tool.run(readText)('{"path":"no-such-file.txt"}').pipe(
  Effect.catchTag("ToolFailed", (error) => Effect.succeed(`nothing read: ${error.code}`)),
)

console.log(await Effect.runPromise(answer))
