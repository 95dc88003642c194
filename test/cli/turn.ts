/**
 * One turn of the built command line, with a provider on loopback behind its model.
 *
 * In:  a provider's name and the URL of a replay; flags.      Out: the running program; the log that it left, judged.
 * Not here: what the provider answers (`../model/replay.ts`), the program itself (`program.ts`).
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result, type Scope } from "effect"
import { expect } from "vitest"
import type { CoreType, Payload, SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Verifier from "../../src/invariant/Verifier.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { type Dialect, key } from "../model/answers.ts"
import { folderWith, program, type Running, start } from "./program.ts"

export interface Turn {
  readonly running: Running
  /** Where it runs: its workspace, with the session logs beneath. */
  readonly cwd: string
}

export interface Setting {
  readonly flags?: ReadonlyArray<string>
  readonly files?: Readonly<Record<string, string>>
  /** What else has to be there before it starts. */
  readonly prepare?: (cwd: string) => void
}

const prefixes = {
  openai: "OPENAI",
  "openai-compatible": "OPENAI",
  deepseek: "DEEPSEEK",
  anthropic: "ANTHROPIC",
} as const satisfies Record<Dialect, string>

/** The variables that lead a provider's name to this URL. */
export const variables = (dialect: Dialect, url: string): Readonly<Record<string, string>> => ({
  [`${prefixes[dialect]}_API_KEY`]: key,
  [`${prefixes[dialect]}_BASE_URL`]: url,
})

/** Start a turn; the program does not outlive the scope. */
export const begin = (
  dialect: Dialect,
  url: string,
  { flags = [], files = {}, prepare }: Setting = {},
): Effect.Effect<Turn, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const cwd = folderWith(files)
      prepare?.(cwd)
      const args = ["run", "go", "--model", `${dialect}:m`, ...flags]
      return { cwd, running: start(args, { cwd, env: variables(dialect, url) }) }
    }),
    ({ running }) => Effect.sync(() => running.signal("SIGKILL")),
  )

/** A module for `--tools` with one tool, whose body is an expression that may use `Effect` and `args`. */
export const toolsModule = (name: string, body: string): string =>
  `import { Toolbox, defineTool } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)}
import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
export default Toolbox.make(defineTool({ name: ${JSON.stringify(name)}, description: "", parameters: {}, run: (args) => ${body} }))`

/** The one log beneath a folder. */
export const logIn = (cwd: string): string => {
  const dir = join(cwd, ".effect-harness/sessions")
  const logs = readdirSync(dir).filter((name) => name.endsWith(".jsonl"))
  expect(logs).toHaveLength(1)
  return join(dir, logs.join())
}

/** The events of the one log beneath a folder, after the verifier has found nothing wrong with them. */
export const lawfulEvents = (cwd: string): ReadonlyArray<SessionEvent> => {
  const { events } = Result.getOrThrow(LogFile.parse(readFileSync(logIn(cwd))))
  expect(Verifier.verify(events)).toEqual([])
  return events
}

/** The payloads of one type, in order. */
export const all = <T extends CoreType>(
  events: ReadonlyArray<SessionEvent>,
  type: T,
): ReadonlyArray<Payload<T>> => events.flatMap((event) => (isOf(event, type) ? [event.data] : []))

const isOf = <T extends CoreType>(
  event: SessionEvent,
  type: T,
): event is Extract<SessionEvent, { readonly type: T }> & { readonly data: Payload<T> } => event.type === type

/** Let `check` judge the one log beneath a folder. */
export const check = (cwd: string) =>
  Effect.promise(async () => {
    const { code, stdout } = await program(["check", logIn(cwd)])
    return { code, verdict: stdout.split(" ").slice(0, 2).join(" ") }
  })
