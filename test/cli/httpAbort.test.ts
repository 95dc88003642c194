/**
 * Ways to stop a turn from outside: what the provider notices, what the log says, what the program ends with.
 */
import { execFileSync } from "node:child_process"
import { statSync, truncateSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { blockEvents, chat, messages, piece, type Reply, serve } from "../model/replay.ts"
import { program } from "./program.ts"
import { all, begin, check, lawfulEvents, logIn, toolsModule } from "./turn.ts"

const hanging = {
  "openai-compatible": { body: chat({ content: "Half a" }).slice(0, 1), end: "hang" },
  anthropic: {
    body: messages(
      blockEvents(0, { type: "text", text: "" }, { type: "text_delta", text: "Half a" }).slice(0, -1),
      [],
    ),
    end: "hang",
  },
} as const satisfies Record<string, Reply>

const calling = (name: string, args: object): Reply => ({
  body: chat(piece(0, JSON.stringify(args), { id: "call_a", type: "function", function: { name } }), {
    finish_reason: "tool_calls",
  }),
})

/** Begin a turn whose command runs until it is ended; the command gives its process id through a pipe. */
const beginCommand = Effect.gen(function* () {
  const { url, requests } = yield* serve(calling("run_command", { command: "echo $$ > pid; exec sleep 600" }))
  const { running, cwd } = yield* begin("openai-compatible", url, {
    flags: ["--allow", "run_command"],
    prepare: (cwd) => execFileSync("mkfifo", [join(cwd, "pid")]),
  })
  const pid = Number(yield* Effect.promise(() => readFile(join(cwd, "pid"), "utf8")))
  return { running, cwd, pid, requests }
})

/** The last events of a log, chunks aside. */
const tail = (cwd: string) =>
  lawfulEvents(cwd)
    .flatMap(({ type }) => (type === "assistant/chunk" ? [] : [type]))
    .slice(-4)

describe("Ctrl-C", () => {
  for (const dialect of ["openai-compatible", "anthropic"] as const) {
    it.effect(`in the middle of an answer reaches ${dialect} and closes the turn`, () =>
      Effect.gen(function* () {
        const { url, answering, aborted } = yield* serve(hanging[dialect])
        const { running, cwd } = yield* begin(dialect, url)
        yield* answering
        running.signal("SIGINT")
        yield* aborted
        const { code, stdout, stderr } = yield* Effect.promise(() => running.ended)
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
        expect(stderr).toContain("turn 1 aborted Ctrl-C")
        expect(tail(cwd)).toEqual(["step/start", "turn/abort", "step/end", "turn/end"])
        expect(all(lawfulEvents(cwd), "turn/end")).toMatchObject([{ reason: { kind: "aborted" } }])
        expect(yield* check(cwd)).toEqual({ code: 0, verdict: "✓ lawful" })
      }),
    )
  }

  it.effect("is in the report of --json", () =>
    Effect.gen(function* () {
      const { url, answering } = yield* serve(hanging["openai-compatible"])
      const { running } = yield* begin("openai-compatible", url, { flags: ["--json"] })
      yield* answering
      running.signal("SIGINT")
      const { code, stdout } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({ steps: 1, reason: { kind: "aborted", message: "Ctrl-C" } })
    }),
  )

  it.effect("while a command runs ends the command, and says so in its result", () =>
    Effect.gen(function* () {
      const { running, cwd, pid, requests } = yield* beginCommand
      running.signal("SIGINT")
      const { code, stderr } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(1)
      expect(stderr).toContain("turn 1 aborted Ctrl-C")
      expect(() => process.kill(pid, 0)).toThrow("ESRCH")
      expect(tail(cwd)).toEqual(["turn/abort", "tool/result", "step/end", "turn/end"])
      expect(all(lawfulEvents(cwd), "tool/result")).toMatchObject([
        { outcome: "interrupted", error: { code: "ABORTED" } },
      ])
      expect(requests).toHaveLength(1)
    }),
  )

  it.effect("while it waits to ask again ends the wait", () =>
    Effect.gen(function* () {
      const later = { status: 429, headers: { "retry-after": "100" }, body: ["{}"] }
      const { url, requests } = yield* serve(later)
      const { running, cwd } = yield* begin("openai-compatible", url)
      yield* Effect.promise(() => running.says(/MODEL_RATE_LIMITED/))
      running.signal("SIGINT")
      expect(yield* Effect.promise(() => running.ended)).toMatchObject({ code: 1 })
      expect(tail(cwd)).toEqual(["error", "step/end", "turn/abort", "turn/end"])
      expect(requests).toHaveLength(1)
    }),
  )

  it.effect("twice leaves, also when a tool does not let go, with a log that can be gone on with", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(calling("hold", {}))
      const { running, cwd } = yield* begin("openai-compatible", url, {
        flags: ["--tools", "tools.mjs"],
        files: { "tools.mjs": toolsModule("hold", holding) },
      })
      yield* Effect.promise(() => running.says(/^held$/m))
      running.signal("SIGINT")
      yield* Effect.promise(() => running.says(/Ctrl-C again leaves/))
      running.signal("SIGINT")
      const { code, stderr } = yield* Effect.promise(() => running.ended)
      expect(code).toBe(130)
      expect(stderr).toContain("something does not stop; leaving with an open turn")
      expect(tail(cwd)).toEqual(["step/start", "assistant/message", "tool/call", "turn/abort"])
      expect(yield* check(cwd)).toEqual({ code: 0, verdict: "✓ lawful" })
    }),
  )
})

/** A body that nothing ends. */
const holding = `Effect.uninterruptible(Effect.callback(() => {
  setInterval(() => {}, 1000)
  process.stderr.write("held\\n")
}))`

describe("a signal to leave", () => {
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    it.effect(`by ${signal} reaches the provider, and the turn ends as disposed`, () =>
      Effect.gen(function* () {
        const { url, answering, aborted } = yield* serve(hanging["openai-compatible"])
        const { running, cwd } = yield* begin("openai-compatible", url)
        yield* answering
        running.signal(signal)
        yield* aborted
        const ended = yield* Effect.promise(() => running.ended)
        expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining("turn 1 disposed") })
        expect(tail(cwd)).toEqual(["request/config", "step/start", "step/end", "turn/end"])
        expect(all(lawfulEvents(cwd), "turn/end")).toMatchObject([{ reason: { kind: "disposed" } }])
        expect(yield* check(cwd)).toEqual({ code: 0, verdict: "✓ lawful" })
      }),
    )
  }
})

describe("SIGTERM while a command runs", () => {
  it.effect("ends the command, and says so in its result", () =>
    Effect.gen(function* () {
      const { running, cwd, pid } = yield* beginCommand
      running.signal("SIGTERM")
      expect(yield* Effect.promise(() => running.ended)).toMatchObject({ code: 143, stdout: "" })
      expect(() => process.kill(pid, 0)).toThrow("ESRCH")
      expect(tail(cwd)).toEqual(["tool/call", "tool/result", "step/end", "turn/end"])
      expect(all(lawfulEvents(cwd), "tool/result")).toMatchObject([{ outcome: "interrupted" }])
      expect(all(lawfulEvents(cwd), "turn/end")).toMatchObject([{ reason: { kind: "disposed" } }])
    }),
  )
})

describe("kill -9", () => {
  /** What the log of a killed turn is to everyone who reads it: unfinished, and not unlawful for that. */
  const tellRest = (cwd: string) =>
    Effect.gen(function* () {
      const types = lawfulEvents(cwd).map(({ type }) => type)
      expect(types).toContain("turn/start")
      expect(types).not.toContain("turn/end")
      const [checked, shown] = yield* Effect.promise(() =>
        Promise.all([program(["check", logIn(cwd)]), program(["show", logIn(cwd)])]),
      )
      expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ lawful/) })
      expect(shown).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("turn 1 is open: it still runs, or"),
      })
      return shown.stdout
    })

  it.effect("in the middle of an answer leaves a lawful log", () =>
    Effect.gen(function* () {
      const { url, answering, aborted } = yield* serve(hanging["openai-compatible"])
      const { running, cwd } = yield* begin("openai-compatible", url)
      yield* answering
      running.signal("SIGKILL")
      yield* aborted
      yield* Effect.promise(() => running.ended)
      expect(yield* tellRest(cwd)).toContain("turn 1")
    }),
  )

  it.effect("while a tool runs leaves a lawful log with a call that has no result", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(calling("hold", {}))
      const { running, cwd } = yield* begin("openai-compatible", url, {
        flags: ["--tools", "tools.mjs"],
        files: { "tools.mjs": toolsModule("hold", holding) },
      })
      yield* Effect.promise(() => running.says(/^held$/m))
      running.signal("SIGKILL")
      yield* Effect.promise(() => running.ended)
      expect(tail(cwd)).toEqual(["request/config", "step/start", "assistant/message", "tool/call"])
      expect(yield* tellRest(cwd)).toContain("hold")
      truncateSync(logIn(cwd), statSync(logIn(cwd)).size - 5)
      const checked = yield* Effect.promise(() => program(["check", logIn(cwd)]))
      expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ lawful/) })
      expect(checked.stderr).toMatch(/the last line is unfinished \(\d+ bytes\)/)
    }),
  )
})
