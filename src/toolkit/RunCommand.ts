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
import { Context, Duration, Effect, Fiber, FileSystem, type PlatformError, Predicate, Stream } from "effect"
import { ChildProcess } from "effect/process"
import * as Foreign from "../error/Foreign.ts"
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

/** Units: UTF-16 code units. What the error of a command that ran out of time tells of its output: the end. */
export const maxTimedOutChars = 3000

/** Units: bytes. What Linux takes as one argument at most, and the whole of a shell command is one. */
export const maxArgumentBytes = 131_071

/** Passed on by default, in any case. */
const ordinaryNames = new Set(
  (
    "PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR TZ TMPDIR TEMP TMP CI " +
    "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR " +
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_ENV NODE_PATH NODE_EXTRA_CA_CERTS NVM_DIR PNPM_HOME " +
    "PYTHONPATH VIRTUAL_ENV JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME LD_LIBRARY_PATH PKG_CONFIG_PATH " +
    "SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMFILES PROGRAMDATA"
  ).split(" "),
)

/**
 * Keep the variables that commands need and that hold no secret: those known by name, and `LC_*`.
 *
 * A list of what may pass, because no list of what may not is ever whole. A proxy with a user in it does not pass.
 */
export const ordinary = (
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    const upper = name.toUpperCase()
    const isOrdinary = ordinaryNames.has(upper) || upper.startsWith("LC_")
    const holdsUser = upper.endsWith("_PROXY") && value?.includes("@") === true
    if (value !== undefined && isOrdinary && !holdsUser) kept[name] = value
  }
  return kept
}

/**
 * The variables that a command sees; by default the ordinary ones of this process. To pass on more, provide
 * `{ ...ordinary(process.env), MORE: "…" }`.
 *
 * This keeps secrets from what prints its environment. It is no wall: a command runs as the same user, and can read
 * `/proc/$PPID/environ`.
 */
export const Environment = Context.Reference<Readonly<Record<string, string>>>(
  "effect-harness/toolkit/RunCommand/Environment",
  { defaultValue: () => ordinary(globalThis.process.env) },
)

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
      yield* checkCommand(command, args ?? [])
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
      ).pipe(Effect.catchTag("CommandNotStarted", (error) => withoutFolder(root, error)))
    }),
})

/** Refuse what no system starts, before Node throws it. */
const checkCommand = (
  command: string,
  args: ReadonlyArray<string>,
): Effect.Effect<void, CommandNotStarted> => {
  if (command.trim() === "") return refuse("it is empty")
  const isTooLong = (text: string) => new TextEncoder().encode(text).length > maxArgumentBytes
  if (![command, ...args].some(isTooLong)) return Effect.void
  const what = args.length === 0 ? "it" : "it, or one of its arguments,"
  return refuse(
    `${what} has more than ${maxArgumentBytes} bytes. Write the text to a file and have the command read that`,
  )
}

const refuse = (why: string, cause?: unknown): Effect.Effect<never, CommandNotStarted> =>
  Effect.fail(
    new CommandNotStarted({
      message: `The command could not be started: ${why}.`,
      ...(cause === undefined ? {} : { cause }),
    }),
  )

/** The system says of a missing folder only what it says of a missing program. */
const withoutFolder = Effect.fnUntraced(function* (root: string, error: CommandNotStarted) {
  const fs = yield* FileSystem.FileSystem
  const isThere = yield* Effect.orElseSucceed(fs.exists(root), () => true)
  if (isThere) return yield* error
  return yield* refuse("the folder of the workspace is not there any more", error)
})

const run = (command: ChildProcess.Command, timeoutSeconds: number) =>
  Effect.suspend(() => {
    const capture = makeCapture()
    return Effect.timeoutOrElse(finish(command, capture), {
      duration: Duration.seconds(timeoutSeconds),
      orElse: () =>
        new CommandTimedOut({
          timeoutMillis: timeoutSeconds * 1000,
          message: `The command ran longer than ${timeoutSeconds} s and was killed. ${outputUntilThen(capture.text())}`,
        }),
    })
  })

/** The end is what tells why it hangs, and the message of an error is cut at its end. */
const outputUntilThen = (text: string): string => {
  if (text.length <= maxTimedOutChars) return `Its output until then:\n${text}`
  const end = text.slice(-maxTimedOutChars).replace(/^[\uDC00-\uDFFF]/, "")
  return `The end of its output until then:\n${end}`
}

/** Start it, read until it ends, end what it left behind, and say all that. */
const finish = Effect.fnUntraced(function* (command: ChildProcess.Command, capture: Capture) {
  const handle = yield* Effect.mapError(command, notStarted).pipe(
    // Node throws some errors of the system, such as E2BIG, where it hands on others.
    Effect.catchDefect((defect) => refuse(Foreign.normalise(defect).code, defect)),
  )
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
