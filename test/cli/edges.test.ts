/**
 * Where the process itself is the trouble: no work left for Node, lost output, rejections that nobody hears, and
 * text that wants to drive the terminal.
 */

import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as Paint from "../../src/terminal/Paint.ts"
import * as Timeline from "../../src/terminal/Timeline.ts"
import { bin, folderWith, program, script } from "./program.ts"

const tools = `import { defineTool, Toolbox } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)}
const tool = (name, run) => defineTool({ name, description: "", parameters: {}, run })
export default Toolbox.make(
  tool("hang", () => new Promise(() => {})),
  tool("stray", async () => { Promise.reject(new Error("heard by nobody")); await new Promise(() => {}) }),
)`

const calling = (name: string) =>
  folderWith({
    "tools.mjs": tools,
    "s.json": script({ calls: [{ name, arguments: "{}" }] }, { text: "done" }),
  })

const args = ["run", "go", "--model", "script:s.json", "--tools", "tools.mjs"]

/** Run until stderr says something, send a signal, wait for the end. */
const interrupted = (cwd: string, until: string) =>
  new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: ["ignore", "ignore", "pipe"] })
    let heard = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (heard.includes(until)) return
      heard += text
      if (heard.includes(until)) child.kill("SIGINT")
    })
    child.on("close", resolve)
  })

/** Run with stdout going to a file that takes nothing. */
const intoFullDisk = (words: ReadonlyArray<string>, cwd: string) =>
  new Promise<number | null>((resolve) => {
    const full = openSync("/dev/full", "w")
    const child = spawn(process.execPath, [bin, ...words], { cwd, stdio: ["ignore", full, "ignore"] })
    child.on("close", (code) => {
      closeSync(full)
      resolve(code)
    })
  })

describe("the process", () => {
  it("waits for a call that never settles until somebody aborts it", async () => {
    expect(await interrupted(calling("hang"), "hang {}")).toBe(1)
  })

  it("closes the turn when something was thrown that nobody caught", async () => {
    const { code, stderr } = await program(args, { cwd: calling("stray") })
    expect(code).toBe(1)
    expect(stderr).toContain("heard by nobody")
    expect(stderr).toContain("turn 1 disposed")
  })

  it.runIf(existsSync("/dev/full"))("does not call lost output a success", async () => {
    const cwd = folderWith({ "s.json": script({ text: "done" }) })
    expect(await intoFullDisk(["--version"], cwd)).toBe(3)
    expect(await intoFullDisk(["run", "go", "--model", "script:s.json"], cwd)).toBe(3)
    expect(await intoFullDisk(["check", "s.json"], cwd)).toBe(1)
  })
})

describe("a timeline", () => {
  const hostile = "\u001b]52;c;eA==\u0007\u009b2J\nturn 9 completed"

  it("lets no text of a log drive the terminal or pass for a line of its own", () => {
    const { render } = Timeline.make({ paint: Paint.make(false), streaming: false })
    const step = { turn: 1, step: 1 }
    const error = { name: hostile, code: hostile }
    const result = { ...step, callId: "c", outcome: "failed", isError: true, content: [], error } as const
    const lines = [
      render({
        seq: 1,
        at: 0,
        type: "tool/call",
        data: { ...step, callId: "c", name: hostile, arguments: hostile },
      }),
      render({ seq: 2, at: 0, type: "tool/result", data: result }),
      render({ seq: 3, at: 0, type: "error", data: { ...step, ...error, message: hostile } }),
      render({
        seq: 4,
        at: 0,
        type: "turn/end",
        data: { turn: 1, reason: { kind: "failed", ...error, message: hostile } },
      }),
    ].join("")
    expect(lines).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    expect(lines).not.toMatch(/^turn 9/m)
  })
})
