/**
 * A chat at a terminal, with a real one (a pty) between the keyboard and the program.
 *
 * Order: skipped, with one line, where util-linux's `script` is not there to make the pty.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { chat, type Reply, serve } from "../model/replay.ts"
import { bin, folder, launch } from "./program.ts"
import { all, lawfulEvents, variables } from "./turn.ts"

const makesTerminals = /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "")
if (!makesTerminals) process.stdout.write("skipped: chats at a terminal (no util-linux script)\n")

const saying = (text: string): Reply => ({ body: chat({ content: text }, { finish_reason: "stop" }) })
const hanging: Reply = { body: chat({ content: "Half a" }).slice(0, 1), end: "hang" }

interface Seat {
  readonly env?: Readonly<Record<string, string>>
  readonly redirect?: string
  readonly prepare?: (cwd: string) => void
}

/** Start a chat on a terminal, where what it writes comes as one stream; `redirect` takes parts of it elsewhere. */
const sitDown = (url: string, { env = {}, redirect = "", prepare }: Seat = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const cwd = folder()
      prepare?.(cwd)
      const command = `'${process.execPath}' '${bin}' chat --model openai-compatible:m ${redirect}`
      const options = { cwd, env: { TERM: "xterm", ...variables("openai-compatible", url), ...env } }
      return { cwd, running: launch("script", ["-qec", command, "/dev/null"], options) }
    }),
    ({ running }) => Effect.sync(() => running.signal("SIGKILL")),
  )

const colour = /\u001b\[\d+m/

describe.runIf(makesTerminals)("a chat at a terminal", () => {
  it.effect("asks again after each answer, aborts a turn at Ctrl-C and ends well at Ctrl-D", () =>
    Effect.gen(function* () {
      const { url, requests, aborted } = yield* serve(saying("First."), hanging, saying("Third."))
      const { cwd, running } = yield* sitDown(url)
      const says = (words: RegExp) => Effect.promise(() => running.says(words))
      yield* says(/› /)
      running.type("one\r")
      yield* says(/First\.[^›]*turn 1 .*completed[^›]*› /)
      running.type("two\r")
      yield* says(/Half a/)
      running.type("\u0003")
      yield* aborted
      yield* says(/turn 2 aborted[^›]*› /)
      running.type("three\r")
      yield* says(/Third\.[^›]*turn 3 .*completed[^›]*› /)
      running.type("\u0004")
      const { code, stdout } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(0)
      expect(stdout).toMatch(colour)
      const reasons = all(lawfulEvents(cwd), "turn/end").map(({ reason }) => reason.kind)
      expect(reasons).toEqual(["completed", "aborted", "completed"])
      expect(requests[2]?.body["messages"]).toMatchObject([
        { role: "user", content: "one" },
        { role: "assistant", content: "First." },
        { role: "user", content: "two" },
        { role: "user", content: "three" },
      ])
    }),
  )

  it.effect("tells of a turn that failed and goes on", () =>
    Effect.gen(function* () {
      const { url } = yield* serve({ status: 401, body: ["{}"] }, saying("Second."))
      const { cwd, running } = yield* sitDown(url, { env: { NO_COLOR: "1" } })
      const says = (words: RegExp) => Effect.promise(() => running.says(words))
      yield* says(/› /)
      running.type("one\r")
      yield* says(/turn 1 failed MODEL_UNAUTHORIZED[^›]*› /)
      running.type("two\r")
      yield* says(/Second\.[^›]*› /)
      running.type("\u0004")
      const { code, stdout } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(0)
      expect(stdout).not.toMatch(colour)
      expect(all(lawfulEvents(cwd), "turn/end")).toHaveLength(2)
    }),
  )

  it.effect("leaves at a Ctrl-C that finds no turn", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve()
      const { running } = yield* sitDown(url)
      yield* Effect.promise(() => running.says(/› /))
      running.type("\u0003")
      expect(yield* Effect.promise(() => running.ended)).toMatchObject({ code: 130 })
      expect(requests).toEqual([])
    }),
  )

  it.effect("reads a file and writes to a file like any program", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(saying("First."), saying("Second."))
      const prepare = (cwd: string) => writeFileSync(join(cwd, "lines"), "one\ntwo\n")
      const { cwd, running } = yield* sitDown(url, { redirect: "<lines >answers", prepare })
      const { code, stdout } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(0)
      expect(readFileSync(join(cwd, "answers"), "utf8")).toBe("First.\nSecond.\n")
      expect(stdout).toContain("turn 2")
      expect(stdout).not.toContain("›")
    }),
  )
})
