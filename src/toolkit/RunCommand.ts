/**
 * The tool `run_command`: one command in the workspace, its output and how it ended.
 *
 * In:  a shell command, or a program and its arguments; a time limit.      Out: what it wrote, and its exit code or signal.
 * Fails with: `CommandTimedOut`, `CommandNotStarted`, `ArgumentOutOfRange`. A non-zero exit is a result like any other.
 * Not here: how much of the output is kept (`captureOutput.ts`), whether a command may run (`policy/Guard.ts`).
 *
 * A command has its own process group. When it ends, runs out of time or is interrupted, what is left of the group
 * gets SIGTERM and, `killGraceMillis` later, SIGKILL; a program that makes itself a session of its own escapes that.
 */
import { Context, Duration, Effect, Fiber, type PlatformError, Predicate, Stream } from "effect"
import { ChildProcess } from "effect/process"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { type Capture, make as makeCapture } from "./captureOutput.ts"
import { errnoOf } from "./fileError.ts"
import { CommandNotStarted, CommandTimedOut, checkRange } from "./ToolkitError.ts"
import { Workspace } from "./Workspace.ts"

/** Units: seconds. */
export const defaultTimeoutSeconds = 120

/** Units: seconds. */
export const maxTimeoutSeconds = 600

/** Units: milliseconds between SIGTERM and SIGKILL. */
export const killGraceMillis = 1000

/** Units: milliseconds. How long output is awaited after the group is gone: who escaped it may hold the pipe open. */
const drainMillis = 500

/**
 * The variables that a command sees; by default those of this process without secrets.
 *
 * A variable is a secret when a word of its name is KEY, TOKEN, SECRET, PASSWORD or the like, or when its value is a
 * URL with a password.
 */
export const Environment = Context.Reference<Readonly<Record<string, string>>>(
  "effect-harness/toolkit/RunCommand/Environment",
  { defaultValue: () => withoutSecrets(globalThis.process.env) },
)

const secretName =
  /(^|_)(API)?(KEYS?|TOKENS?|SECRETS?|PAT|PASS|CREDENTIALS?)(_|$)|PASSWORD|PASSWD|PASSPHRASE|APIKEY/i
const secretValue = /:\/\/[^/\s:@]*:[^/\s@]+@/

/** Leave out what a command of a model has no business to know. */
export const withoutSecrets = (
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && !secretName.test(name) && !secretValue.test(value)) kept[name] = value
  }
  return kept
}

export const runCommand = defineTool({
  name: "run_command",
  description:
    "Run a command in the workspace and get its output (stdout and stderr) and exit code. It has no stdin, " +
    "and processes that it leaves in the background are ended with it.",
  parameters: {
    command: {
      type: "string",
      required: true,
      description: "Shell command; with args, the program to start without a shell.",
    },
    args: { type: "array", items: { type: "string" }, description: "Arguments, passed on as they are." },
    timeout_seconds: {
      type: "integer",
      description: `Time limit. Default ${defaultTimeoutSeconds}, at most ${maxTimeoutSeconds}.`,
    },
  },
  resources: () => Resources.everything,
  run: ({ command, args, timeout_seconds = defaultTimeoutSeconds }) =>
    Effect.gen(function* () {
      yield* checkRange("timeout_seconds", timeout_seconds, 1, maxTimeoutSeconds)
      const { root } = yield* Workspace
      const options = {
        cwd: root,
        env: yield* Environment,
        stdin: "ignore",
        forceKillAfter: Duration.millis(killGraceMillis),
      } as const
      return yield* run(
        args === undefined
          ? ChildProcess.make(command, { ...options, shell: true })
          : ChildProcess.make(command, args, options),
        timeout_seconds,
      )
    }),
})

const run = (command: ChildProcess.Command, timeoutSeconds: number) =>
  Effect.suspend(() => {
    const capture = makeCapture()
    return Effect.timeoutOrElse(finish(command, capture), {
      duration: Duration.seconds(timeoutSeconds),
      orElse: () =>
        new CommandTimedOut({
          timeoutMillis: timeoutSeconds * 1000,
          message: `The command ran longer than ${timeoutSeconds} s and was killed. Its output until then:\n${capture.text()}`,
        }),
    })
  })

/** Start it, read until it ends, end what it left behind, and say all that. */
const finish = Effect.fnUntraced(function* (command: ChildProcess.Command, capture: Capture) {
  const handle = yield* Effect.mapError(command, notStarted)
  const output = Stream.merge(Stream.decodeText(handle.stdout), Stream.decodeText(handle.stderr))
  const reading = yield* Effect.forkScoped(
    Effect.ignore(Stream.runForEach(output, (text) => Effect.sync(() => capture.add(text)))),
  )
  const ending = yield* Effect.match(handle.exitCode, {
    onSuccess: (code) => `[exit code ${code}]`,
    onFailure: (error) => `[killed by ${signalOf(error)}]`,
  })
  yield* Effect.ignore(handle.kill({ forceKillAfter: Duration.millis(killGraceMillis) }))
  yield* Effect.timeoutOption(Fiber.await(reading), Duration.millis(drainMillis))
  const text = capture.text()
  return text === "" || text.endsWith("\n") ? text + ending : `${text}\n${ending}`
}, Effect.scoped)

const notStarted = (error: PlatformError.PlatformError): CommandNotStarted => {
  const { reason } = error
  const why =
    reason._tag === "BadArgument" ? reason.description : `${errnoOf(error)}; check the name of the program`
  return new CommandNotStarted({ cause: error, message: `The command could not be started: ${why}.` })
}

/** The spawner tells a signal only in the words of its error's cause. */
const signalOf = (error: PlatformError.PlatformError): string => {
  const cause = error.reason.cause
  const words = Predicate.hasProperty(cause, "message") ? String(cause.message) : ""
  return /SIG[A-Z0-9]+/.exec(words)?.[0] ?? "a signal"
}
