/** The model cannot reach the log of its own session through the file tools, though it lies in the workspace. */
import { describe, expect, it } from "vitest"
import { folderWith, program, script } from "./program.ts"
import { lawfulEvents } from "./turn.ts"

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) })

describe("the folder of the session logs", () => {
  it("is closed to the file tools, and the session goes on", async () => {
    const path = ".effect-harness/sessions"
    const cwd = folderWith({
      "script.json": script(
        {
          calls: [
            call("list_files", { path }),
            call("search_text", { query: "session", path: ".effect-harness" }),
            call("write_file", { path: `${path}/forged.jsonl`, content: "" }),
          ],
        },
        { text: "Done." },
      ),
    })
    const args = ["run", "go", "--model", "script:script.json", "--allow", "write_file"]
    expect(await program(args, { cwd })).toMatchObject({ code: 0, stdout: "Done.\n" })
    const results = lawfulEvents(cwd).flatMap(({ type, data }) => (type === "tool/result" ? [data] : []))
    expect(results.map(({ error }) => error?.code)).toEqual(["PATH_RESERVED", undefined, "PATH_RESERVED"])
    expect(JSON.stringify(results[1]?.content)).toContain("No line matches in 0 files")
  })
})
