/** An output that is too large for the model is whole in the workspace, where its file tools can read it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderWith, program, script } from "./program.ts"
import { lawfulEvents, toolsModule } from "./turn.ts"

describe("a large output at the command line", () => {
  it("is kept in the workspace, and the model is told where", async () => {
    const cwd = folderWith({
      "tools.mjs": toolsModule("dig", `Effect.succeed("x".repeat(60_000) + "the end")`),
      "script.json": script({ calls: [{ name: "dig", arguments: "{}" }] }, { text: "Done." }),
    })
    const args = ["run", "go", "--model", "script:script.json", "--tools", "./tools.mjs"]
    expect(await program(args, { cwd })).toMatchObject({ code: 0, stdout: "Done.\n" })
    const spills = lawfulEvents(cwd).flatMap(({ type, data }) => (type === "tool/result" ? [data] : []))
    const path = spills[0]?.spill ?? ""
    expect(path).toMatch(/^\.effect-harness\/outputs\/[0-9a-f]+\.txt$/)
    expect(JSON.stringify(spills[0]?.content)).toContain(path)
    expect(readFileSync(join(cwd, path), "utf8")).toBe(`${"x".repeat(60_000)}the end`)
  })
})
