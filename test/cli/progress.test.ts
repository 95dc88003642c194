/** What a body says while it runs is on stderr while it runs, and nowhere else; a provider that is silent has failed. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { chat, serve } from "../model/replay.ts"
import { folderWith, program, script } from "./program.ts"
import { begin, lawfulEvents } from "./turn.ts"

const harness = JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)
const effect = JSON.stringify(import.meta.resolve("effect"))
const reporting = `import { Toolbox, defineTool } from ${harness}
import { Effect } from ${effect}
export default Toolbox.make(defineTool({ name: "dig", description: "", parameters: {}, run: (_, call) =>
  Effect.gen(function* () {
    yield* call.progress("half \\u001b[2J of it\\nand a second line")
    yield* Effect.yieldNow
    return "dug"
  }) }))`

describe("progress at the command line", () => {
  it.effect("is a line of the timeline, and not in the log", () =>
    Effect.gen(function* () {
      const cwd = folderWith({
        "tools.mjs": reporting,
        "script.json": script({ calls: [{ name: "dig", arguments: "{}" }] }, { text: "Done." }),
      })
      const args = ["run", "go", "--model", "script:script.json", "--tools", "./tools.mjs"]
      const { code, stderr, stdout } = yield* Effect.promise(() => program(args, { cwd }))
      expect([code, stdout]).toEqual([0, "Done.\n"])
      expect(stderr).toMatch(/call {3}dig[^]*… {6}dig half .\[2J of it\n[^]*✓ ok {3}dig/u)
      expect(JSON.stringify(lawfulEvents(cwd))).not.toContain("half")
    }),
  )
})

describe("--idle-timeout", () => {
  it.effect("is how many seconds a provider may be silent", () =>
    Effect.gen(function* () {
      const { url } = yield* serve({ body: chat({ content: "Half a" }).slice(0, 1), end: "hang" })
      const { running } = yield* begin("openai-compatible", url, { flags: ["--idle-timeout", "1"] })
      yield* Effect.promise(() => running.says(/ModelTimedOut MODEL_TIMED_OUT/))
    }),
  )

  it.effect.each(["0", "-1", "soon", "1.5"])("cannot be %s", (seconds) =>
    Effect.gen(function* () {
      const cwd = folderWith({ "script.json": script({ text: "Hi." }) })
      const args = ["run", "go", "--model", "script:script.json", `--idle-timeout=${seconds}`]
      expect(yield* Effect.promise(() => program(args, { cwd }))).toMatchObject({ code: 2, stdout: "" })
    }),
  )
})
