/**
 * The command line: parse the arguments, run one command, end with its exit code.
 *
 * In:  `process.argv`.      Out: results on stdout, all else on stderr; exit codes of `CliFailure.ts`.
 * Not here: the commands (one file each).
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit } from "effect"
import { CliError, CliOutput, Command } from "effect/cli"
import { describe } from "../setup/CliFailure.ts"
import { inline } from "../terminal/Paint.ts"
import { hold } from "../terminal/Process.ts"
import { watch } from "../terminal/Signals.ts"
import { flush, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

const name = "effect-harness"

/** As package.json says it; a test compares them. */
const version = "0.1.0"

/** Loaded when they are asked for: what one command is made of is no weight on another. */
const commands = {
  demo: async () => (await import("./demo.ts")).demo,
  run: async () => (await import("./run.ts")).run,
  chat: async () => (await import("./chat.ts")).chat,
  resume: async () => (await import("./resume.ts")).resume,
  fork: async () => (await import("./fork.ts")).fork,
  list: async () => (await import("./list.ts")).list,
  show: async () => (await import("./show.ts")).show,
  check: async () => (await import("./check.ts")).check,
  replay: async () => (await import("./replay.ts")).replay,
  export: async () => (await import("./export.ts")).exportLog,
  salvage: async () => (await import("./salvage.ts")).salvage,
}

/** The command whose name comes first, or all: to tell which there are, and which was meant. */
const load = async ([first]: ReadonlyArray<string>) => {
  const all = Object.entries(commands)
  const asked = all.filter(([name]) => name === first)
  return Promise.all((asked.length > 0 ? asked : all).map(([, command]) => command()))
}

const makeRoot = (subcommands: Awaited<ReturnType<typeof load>>) =>
  Command.make(name).pipe(
    Command.withDescription("A runtime for the tool calls of language models"),
    Command.withSubcommands(subcommands),
  )

const formatter = CliOutput.defaultFormatter({ colors: false })

/** Wrong usage is one line and a pointer; help is a result only when it was asked for. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      switch (event._tag) {
        case "Help": {
          const write = event.reason === "Requested" ? writeResult : writeNote
          return write(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
        }
        case "Version":
          return writeResult(`${event.version}\n`)
        case "InvalidInvocation": {
          const lines = event.errors.map((error) => `${oneLine(error)}\n`)
          return writeNote(`${lines.join("")}see: ${event.commandPath.join(" ")} --help\n`)
        }
      }
    }),
}

const exitCodeOf = (exit: Exit.Exit<void, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return 1
  if (Cause.hasDies(exit.cause)) {
    writeNote(`a bug of ${name}: please report it\n${Cause.pretty(exit.cause)}\n`)
    return 1
  }
  const failure = Cause.squash(exit.cause)
  if (CliError.isCliError(failure)) {
    if (wantsJson) writeJson({ error: { code: "WRONG_USAGE", message: usageOf(failure) } })
    return 2
  }
  const { line, code, exitCode } = describe(failure)
  if (line !== "") writeNote(`${inline(line)}\n`)
  if (line !== "" && wantsJson) writeJson({ error: { code, message: line } })
  return exitCode
}

/** A program that asked for JSON gets it in every case: what else is there to read is on stderr. */
const wantsJson = process.argv.includes("--json")

const usageOf = (failure: CliError.CliError): string =>
  failure._tag === "ShowHelp" ? failure.errors.map(oneLine).join("; ") : oneLine(failure)

const oneLine = ({ message }: { readonly message: string }): string => message.replace(/\s*\n\s*/g, " ")

const words = process.argv.slice(2)

const program = Effect.promise(() => load(words)).pipe(
  Effect.flatMap((subcommands) => Command.runWith(makeRoot(subcommands), { version })(words)),
  Effect.provide([NodeServices.layer, CliOutput.layerPresenter(presenter)]),
  Effect.exit,
  Effect.flatMap((exit) => Effect.as(flush, exitCodeOf(exit))),
)

const fiber = Effect.runFork(program)
const signals = watch(fiber)
const held = hold(fiber)
fiber.addObserver((exit) => {
  signals.stop()
  held.release()
  const code = signals.exitCode() ?? (Exit.isSuccess(exit) ? exit.value : 1)
  void Effect.runPromise(flush).then(() => process.exit(held.exitCode(code)))
})
