import { it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Option } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { maxTextLength } from "../../src/output/Output.ts"
import { maxOutputChars } from "../../src/toolkit/captureOutput.ts"
import {
  defaultTimeoutSeconds,
  Environment,
  maxArgumentBytes,
  maxTimedOutChars,
  ordinary,
  runCommand,
} from "../../src/toolkit/RunCommand.ts"
import { call, code, failure, halfCharacter, inWorkspace } from "./temporary.ts"

const run = (command: string, more: object = {}) => call(runCommand, { command, ...more })

/** Wait until the command has written its process ids, one a line. */
const pidsIn = (path: string, count: number) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = yield* Effect.orElseSucceed(fs.readFileString(path), () => "")
    return text.trim().split("\n").map(Number)
  }).pipe(Effect.repeat({ until: (pids) => pids.length === count && pids.every((pid) => pid > 0) }))

/** Tell whether it still runs; a zombie does not. */
const isRunning = (pid: number) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const stat = yield* Effect.option(fs.readFileString(`/proc/${pid}/stat`))
    if (Option.isSome(stat)) return !stat.value.includes(") Z ")
    return yield* Effect.try(() => process.kill(pid, 0)).pipe(
      Effect.as(true),
      Effect.orElseSucceed(() => false),
    )
  })

const running = (pids: ReadonlyArray<number>) => Effect.filter(pids, isRunning)

describe("run_command", () => {
  it.effect("gives the output and the exit code", () =>
    inWorkspace({ "a.txt": "x" }, () =>
      Effect.gen(function* () {
        expect(yield* run("ls; echo done")).toBe("a.txt\ndone\n[exit code 0]")
        expect(yield* run("printf 'no line end'")).toBe("no line end\n[exit code 0]")
        expect(yield* run("true")).toBe("[exit code 0]")
      }),
    ),
  )

  it.effect("takes a failing command as a result, with what it wrote to stderr", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        expect(yield* run("echo wrong >&2; exit 3")).toBe("wrong\n[exit code 3]")
        expect(yield* run("no-such-program-here")).toContain("[exit code 127]")
      }),
    ),
  )

  it.effect("names the signal that ended the command", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        expect(yield* run("echo before; kill -KILL $$")).toBe("before\n[killed by SIGKILL]")
      }),
    ),
  )

  it.effect("passes arguments on without a shell", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        expect(yield* run("printf", { args: ["%s|", "$HOME", "a b", "; ls"] })).toBe(
          "$HOME|a b|; ls|\n[exit code 0]",
        )
        expect(yield* failure(run("no-such-program-here", { args: [] }))).toEqual({
          code: "COMMAND_NOT_STARTED",
          message: "The command could not be started: ENOENT; check the name of the program.",
        })
        expect(yield* failure(run("echo \0"))).toEqual({
          code: "COMMAND_NOT_STARTED",
          message: "The command could not be started: The command contains a NUL character.",
        })
      }),
    ),
  )

  it.effect("refuses what no system starts, and says why", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        for (const refused of [run(""), run(" \n"), run("", { args: ["a"] })]) {
          expect(yield* failure(refused)).toEqual({
            code: "COMMAND_NOT_STARTED",
            message: "The command could not be started: it is empty.",
          })
        }
        const long = ["#", "x".repeat(maxArgumentBytes)].join("")
        for (const refused of [run(long), run("echo", { args: ["a", long] })]) {
          const { code, message } = yield* failure(refused)
          expect(code).toBe("COMMAND_NOT_STARTED")
          expect(message).toContain(`more than ${maxArgumentBytes} bytes`)
        }
        expect(yield* run(long.slice(1).replace(/^./, "#"))).toBe("[exit code 0]")
        const many = Array.from({ length: 25 }, () => "x".repeat(maxArgumentBytes))
        expect(yield* code(run("echo", { args: many }))).toBe("COMMAND_NOT_STARTED")
      }),
    ),
  )

  it.effect("tells a workspace that is gone from a program that is not there", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.remove(root, { recursive: true })
        for (const gone of [run("echo hi"), run("echo", { args: ["hi"] })]) {
          expect(yield* failure(gone)).toEqual({
            code: "COMMAND_NOT_STARTED",
            message: "The command could not be started: the folder of the workspace is not there any more.",
          })
        }
      }),
    ),
  )

  it.effect("tells the end of a long output when time is up, whole characters only", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          failure(
            run("echo first; yes 😀😀😀 | head -n 20000 | tr -d '\\n'; echo last; echo $$ > pids; sleep 300"),
          ),
        )
        yield* pidsIn(`${root}/pids`, 1)
        yield* TestClock.adjust(`${defaultTimeoutSeconds} seconds`)
        const { code, message } = yield* Fiber.join(fiber)
        expect(code).toBe("COMMAND_TIMED_OUT")
        expect(message).toContain("The end of its output until then:\n😀")
        expect(message.endsWith("😀last\n")).toBe(true)
        expect(message).not.toMatch(halfCharacter)
        expect(message.length).toBeLessThan(maxTimedOutChars + 150)
      }),
    ),
  )

  it.effect("has no stdin to wait for", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        expect(yield* run("cat; read line; echo $?")).toBe("1\n[exit code 0]")
      }),
    ),
  )

  it.live("ends what the command leaves in the background", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const text = yield* run("sleep 300 & echo $!; (sleep 300 & echo $!)")
        const pids = text.split("\n").slice(0, 2).map(Number)
        expect(pids.every((pid) => pid > 0)).toBe(true)
        expect(text).toContain("[exit code 0]")
        expect(yield* running(pids)).toEqual([])
      }),
    ),
  )

  it.live("does not wait for a program that made itself a session of its own", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const text = yield* run(
          "setsid sh -c 'echo > up; sleep 300' & while [ ! -e up ]; do :; done; echo $!",
        )
        const pid = Number(text.split("\n")[0])
        expect(text).toBe(`${pid}\n[exit code 0]`)
        expect(yield* isRunning(pid)).toBe(true)
        process.kill(-pid, "SIGKILL")
      }),
    ),
  )

  it.effect("kills the whole group when time is up, and gives the output until then", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          failure(
            run("echo started; (sleep 300 & echo $! >> pids; wait) & sleep 300 & echo $! >> pids; wait"),
          ),
        )
        const pids = yield* pidsIn(`${root}/pids`, 2)
        expect(yield* running(pids)).toEqual(pids)
        yield* TestClock.adjust(`${defaultTimeoutSeconds} seconds`)
        const { code, message } = yield* Fiber.join(fiber)
        expect(code).toBe("COMMAND_TIMED_OUT")
        expect(message).toContain(`longer than ${defaultTimeoutSeconds} s`)
        expect(message).toContain("started\n")
        expect(yield* running(pids)).toEqual([])
      }),
    ),
  )

  it.effect("kills the whole group when it is interrupted", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(run("sleep 300 & echo $! >> pids; echo $$ >> pids; wait"))
        const pids = yield* pidsIn(`${root}/pids`, 2)
        yield* Fiber.interrupt(fiber)
        expect(yield* running(pids)).toEqual([])
      }),
    ),
  )

  it.effect("kills for good what ignores the first signal", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          run("trap '' TERM; sleep 300 & echo $! >> pids; echo $$ >> pids; wait"),
        )
        const pids = yield* pidsIn(`${root}/pids`, 2)
        yield* Fiber.interrupt(fiber)
        expect(yield* running(pids)).toEqual([])
      }),
    ),
  )

  it.effect("keeps the beginning and the end of a long output, and no half characters", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const text = yield* run("echo first; yes x😀😀😀 | head -n 40000 | tr -d '\\n'; echo; echo last")
        expect(text.startsWith("first\nx😀")).toBe(true)
        expect(text.endsWith("\nlast\n[exit code 0]")).toBe(true)
        expect(text).toMatch(/\n\[\d+ characters cut\]\n/)
        expect(text).not.toMatch(halfCharacter)
        expect(text.length).toBeGreaterThan(maxOutputChars)
        // A result holds all of it, so that nothing is cut twice.
        expect(text.length).toBeLessThan(maxTextLength)
      }),
    ),
  )

  it.effect("puts characters together whose bytes come apart, with stderr between them", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const text = yield* run("printf '\\360\\237'; printf ! >&2; printf '\\230\\200'")
        expect(text).toContain("😀")
        expect(text).not.toMatch(halfCharacter)
      }),
    ),
  )

  it.effect("refuses a time limit that it cannot keep", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        expect(yield* code(run("true", { timeout_seconds: 0 }))).toBe("ARGUMENT_OUT_OF_RANGE")
        expect(yield* code(run("true", { timeout_seconds: 601 }))).toBe("ARGUMENT_OUT_OF_RANGE")
      }),
    ),
  )
})

describe("the environment of a command", () => {
  it.effect("is what the reference says, and nothing else", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const env = run("/usr/bin/env", { args: [] }).pipe(
          Effect.provideService(Environment, { ONLY: "this" }),
        )
        expect(yield* env).toBe("ONLY=this\n[exit code 0]")
      }),
    ),
  )

  it("holds by default what is known to be ordinary, and nothing else", () => {
    const kept = {
      PATH: "/opt/python@3/bin:/bin",
      HOME: "/h",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      TERM: "dumb",
      TZ: "UTC",
      TMPDIR: "/tmp",
      NODE_ENV: "test",
      HTTP_PROXY: "http://proxy:3128",
      no_proxy: "localhost",
    }
    const names =
      "OPENAI_API_KEY OPENAI_KEY1 GITHUB_TOKEN2 MYSQL_PWD REDISCLI_AUTH NPM_AUTH NODE_AUTH_TOKEN CLIENTSECRET accessToken JWT " +
      "SESSION_COOKIE SENTRY_DSN SLACK_WEBHOOK AZURE_STORAGE_CONNECTION_STRING PGPASSWORD DATABASE_URL SSH_AUTH_SOCK NODE_OPTIONS " +
      "npm_config_//registry/:_authToken PIN ANYTHING"
    const secrets = Object.fromEntries(names.split(" ").map((name) => [name, "x"]))
    const proxies = { HTTPS_PROXY: "http://me:word@proxy:1", all_proxy: "me:word@proxy:1" }
    expect(ordinary({ ...kept, ...secrets, ...proxies, UNSET: undefined, LC_TIME: undefined })).toEqual(kept)
  })

  it.effect("takes more where more is provided", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const env = { ...ordinary(process.env), MORE: "this" }
        const text = run('echo "$MORE" "$PATH"').pipe(Effect.provideService(Environment, env))
        expect(yield* text).toBe(`this ${process.env["PATH"]}\n[exit code 0]`)
      }),
    ),
  )
})
