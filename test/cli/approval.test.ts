/**
 * A call that could change something is asked about at a real terminal (a pty), and denied where there is none.
 *
 * Order: the first part is skipped, with one line, where util-linux's `script` is not there to make the pty.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { bin, folderWith, launch, program, script } from "./program.ts"
import { all, lawfulEvents } from "./turn.ts"

const makesTerminals = /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "")
if (!makesTerminals) process.stdout.write("skipped: approvals at a terminal (no util-linux script)\n")

const writes = JSON.stringify({ path: "note.txt", content: "written\u001b[2J" })
const model = script({ calls: [{ id: "c1", name: "write_file", arguments: writes }] }, { text: "Done." })
const write = script({ calls: [{ id: "c1", name: "write_file", arguments: writes }] })

/** Start it on a terminal, where what it writes comes as one stream. */
const sitDown = (command: string, text = model) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const cwd = folderWith({ "script.json": text })
      const line = `'${process.execPath}' '${bin}' ${command} --model script:script.json`
      const running = launch("script", ["-qec", line, "/dev/null"], {
        cwd,
        env: { TERM: "xterm", NO_COLOR: "1" },
      })
      return { cwd, running, says: (words: RegExp) => Effect.promise(() => running.says(words)) }
    }),
    ({ running }) => Effect.sync(() => running.signal("SIGKILL")),
  )

const question = /write_file can change things[\s\S]*"path": "note\.txt"[\s\S]*run it\? \[y\/N\] /

describe.runIf(makesTerminals)("a call that could change something, at a terminal", () => {
  it.effect.each([
    ["y", "allow", true],
    ["yes", "allow", true],
    ["n", "deny", false],
    ["", "deny", false],
    ["yellow", "deny", false],
  ] as const)("is shown and asked about, and %j means %s", ([answer, verdict, isWritten]) =>
    Effect.gen(function* () {
      const { cwd, running, says } = yield* sitDown("run go")
      yield* says(question)
      running.type(`${answer}\r`)
      const { code, stdout } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(0)
      expect(stdout).not.toContain("\u001b[2J")
      expect(existsSync(join(cwd, "note.txt"))).toBe(isWritten)
      expect(all(lawfulEvents(cwd), "approval/decided")).toMatchObject([
        { callId: "c1", verdict, by: "the person at the terminal" },
      ])
    }),
  )

  it.effect("runs without a question when it is allowed by name", () =>
    Effect.gen(function* () {
      const { cwd, running } = yield* sitDown("run go --allow write_file")
      const { stdout } = yield* Effect.promise(() => running.ended)
      expect(stdout).not.toContain("run it?")
      expect(readFileSync(join(cwd, "note.txt"), "utf8")).toContain("written")
      expect(all(lawfulEvents(cwd), "approval/asked")).toEqual([])
    }),
  )

  it.effect("is not run, and the turn ends as aborted, at Ctrl-C", () =>
    Effect.gen(function* () {
      const { cwd, running, says } = yield* sitDown("run go")
      yield* says(question)
      running.type("\u0003")
      const { code } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(1)
      expect(existsSync(join(cwd, "note.txt"))).toBe(false)
      const events = lawfulEvents(cwd)
      expect(all(events, "approval/decided")).toEqual([])
      expect(all(events, "turn/end").map(({ reason }) => reason.kind)).toEqual(["aborted"])
    }),
  )

  it.effect("is asked about in a chat too, and the next line is a line of the chat again", () =>
    Effect.gen(function* () {
      const { cwd, running, says } = yield* sitDown("chat", write)
      yield* says(/› /)
      running.type("go\r")
      yield* says(question)
      running.type("y\r")
      yield* says(/turn 1 completed[^›]*› /)
      running.type("thanks\r")
      yield* says(/turn 2 completed[^›]*› /)
      running.type("\u0004")
      expect(yield* Effect.promise(() => running.ended)).toMatchObject({ code: 0 })
      expect(existsSync(join(cwd, "note.txt"))).toBe(true)
      expect(all(lawfulEvents(cwd), "user/message")).toHaveLength(2)
    }),
  )
})

describe("a call that could change something, without a terminal", () => {
  it.effect("is denied, whatever stdin holds, and the reason says how to allow it", () =>
    Effect.gen(function* () {
      const cwd = folderWith({ "script.json": model })
      const args = ["run", "go", "--model", "script:script.json"]
      const { stderr } = yield* Effect.promise(() => program(args, { cwd, input: "y\ny\n" }))
      expect(stderr).toContain("--allow write_file")
      expect(existsSync(join(cwd, "note.txt"))).toBe(false)
      expect(all(lawfulEvents(cwd), "approval/asked")).toEqual([])
    }),
  )
})
