import { open, rm, writeFile } from "node:fs/promises"
import { Effect } from "effect"
import { defineTool, Foreign, Tool, Toolbox, ToolRunner } from "effect-harness"

const readNote = defineTool({
  name: "read_note",
  description: "Read a note.",
  parameters: { path: { type: "string", required: true } },
  run: async ({ path }, { signal }) => {
    // Root may open everything, so a file that is closed to everybody is played here.
    if (path === "closed.txt") throw Object.assign(new Error("permission denied"), { code: "EACCES" })
    const file = await open(path, "r")
    try {
      return await file.readFile({ encoding: "utf8", signal })
    } finally {
      await file.close()
    }
  },
})

// In your own code: match on the code, never on the message.
const read = (path: string): Effect.Effect<string> =>
  Tool.run(readNote)(JSON.stringify({ path })).pipe(
    Effect.catchTag("ToolFailed", (error) => {
      switch (error.code) {
        case "ENOENT":
          return Effect.succeed(`${path} is not there: it can be made`)
        case "EACCES":
        case "EPERM":
          return Effect.succeed(`${path} is there and closed: ask its owner`)
        default:
          return Effect.succeed(`${path} cannot be read: ${error.code}`)
      }
    }),
    Effect.orDie,
  )

await writeFile("note.txt", "buy milk")
console.log(await Effect.runPromise(read("note.txt")))
console.log(await Effect.runPromise(read("missing.txt")))
console.log(await Effect.runPromise(read("closed.txt")))
console.log(await Effect.runPromise(read("note.txt/part")))
await rm("note.txt")

// What the model reads, and what the log keeps.
const runner = await Effect.runPromise(ToolRunner.make(Toolbox.make(readNote)))
const call = { callId: "c1", name: "read_note", arguments: '{"path":"missing.txt"}' }
const { result, error } = await Effect.runPromise(runner.settle(call))
console.log(JSON.stringify(result.error))
console.log(error instanceof Error ? error.name : "no error")

// A library that says it in its own way gets a code once, for all tools.
const aws: Foreign.Normaliser = (thrown) =>
  thrown instanceof Error && thrown.name === "NoSuchKey" ? { code: "ENOENT" } : undefined

const getObject = defineTool({
  name: "get_object",
  description: "Get an object of the bucket.",
  parameters: {},
  run: () => Promise.reject(Object.assign(new Error("no such key"), { name: "NoSuchKey" })),
})
const known = Tool.run(getObject)("{}").pipe(Effect.provide(Foreign.layer(aws)), Effect.flip)
console.log(await Effect.runPromise(Effect.map(known, (failure) => failure.code)))
