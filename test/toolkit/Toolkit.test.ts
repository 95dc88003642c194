import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Content from "../../src/message/Content.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import * as Toolkit from "../../src/toolkit/Toolkit.ts"
import { inWorkspace } from "./temporary.ts"

describe("the toolboxes", () => {
  it("hold the tools that their names say", () => {
    const reading = ["read_file", "list_files", "search_text"]
    expect([...Toolkit.readOnly.tools.keys()]).toEqual(reading)
    expect([...Toolkit.files.tools.keys()]).toEqual([...reading, "write_file", "edit_file"])
    expect([...Toolkit.all.tools.keys()]).toEqual([...reading, "write_file", "edit_file", "run_command"])
  })

  it("divide into tools that change things and tools that do not", () => {
    for (const name of Toolkit.all.tools.keys()) {
      expect(Toolkit.isReadOnly(name)).toBe(!Toolkit.changing.includes(name))
    }
    expect(Toolkit.isReadOnly("unknown_tool")).toBe(false)
  })
})

describe("a result that the model reads", () => {
  const calls: ReadonlyArray<readonly [string, object, string, string]> = [
    ["read_file", { path: "missing.txt" }, "FileNotFound", "ENOENT"],
    ["read_file", { path: "src" }, "PathIsFolder", "EISDIR"],
    ["read_file", { path: "../outside.txt" }, "PathOutsideWorkspace", "PATH_OUTSIDE_WORKSPACE"],
    ["list_files", { path: "src/a.ts" }, "PathNotFolder", "ENOTDIR"],
    ["search_text", { query: "(", regex: true }, "PatternInvalid", "PATTERN_INVALID"],
    ["write_file", { path: "src", content: "" }, "PathIsFolder", "EISDIR"],
    ["edit_file", { path: "src/a.ts", old_text: "y", new_text: "z" }, "EditNotFound", "EDIT_NOT_FOUND"],
    ["run_command", { command: "no-such-program", args: [] }, "CommandNotStarted", "COMMAND_NOT_STARTED"],
  ]

  it.effect.each(calls)(
    "of a failing %s %j carries %s and %s, and no path of the machine",
    ([name, args, tag, code]) =>
      inWorkspace({ "src/a.ts": "x\n" }, (root) =>
        Effect.gen(function* () {
          const runner = yield* ToolRunner.make(Toolkit.all)
          const result = yield* runner.execute({ callId: "1", name, arguments: JSON.stringify(args) })
          expect(result.outcome).toBe("failed")
          expect(result.error).toEqual({ name: tag, code })
          expect(Content.toText(result.content)).not.toBe("")
          expect(JSON.stringify(result)).not.toContain(root)
        }),
      ),
  )

  it.effect("is plain text when the call succeeds", () =>
    inWorkspace({ "src/a.ts": "x\n" }, () =>
      Effect.gen(function* () {
        const runner = yield* ToolRunner.make(Toolkit.all)
        const call = { callId: "1", name: "read_file", arguments: '{"path":"src/a.ts"}' }
        const result = yield* runner.execute(call)
        expect(result).toMatchObject({
          outcome: "success",
          isError: false,
          content: [{ type: "text", text: "x\n" }],
        })
      }),
    ),
  )
})
