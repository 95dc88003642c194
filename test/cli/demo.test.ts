/**
 * The README's first command.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { program } from "./program.ts"

/** Paths and ids differ from run to run. */
const stable = (text: string): string =>
  text
    .replaceAll(/\S*effect-harness-demo-\w+/g, "/tmp/effect-harness-demo")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "SESSION")

describe("demo", () => {
  it("ends well, with every mistake named and a lawful log", async () => {
    const { code, stdout, stderr } = await program(["demo"])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    for (const line of [
      "INVALID_ARGS            rejected",
      "ENOENT                  failed",
      "PATH_OUTSIDE_WORKSPACE  failed",
      "UNKNOWN_TOOL            unknown-tool",
      "TOOL_DEFECT             defect",
      "turn 1 completed",
      "✓ lawful",
    ])
      expect(stdout).toContain(line)
    expect(stdout).not.toContain("\u001b")
  })

  it("prints what the README shows", async () => {
    const { stdout } = await program(["demo"])
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8")
    const shown = /```text demo\n([\s\S]*?)```/.exec(readme)?.[1] ?? ""
    const lines = shown.split("\n").filter((line) => line.trim() !== "" && line !== "…")
    expect(lines.length).toBeGreaterThan(20)
    const printed = stable(stdout).split("\n")
    expect(lines.filter((line) => !printed.includes(line))).toEqual([])
  })
})
