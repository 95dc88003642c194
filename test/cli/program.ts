/**
 * The built command line as a person starts it.
 *
 * In:  arguments.      Out: exit code, stdout, stderr; while it runs, its words, its signals and its keyboard.
 * Not here: building it (`npm test` does that first).
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const bin = join(import.meta.dirname, "../../dist/bin.js")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** All of its input; without it the keyboard stays open for `type`. */
  readonly input?: string
}

export interface Running {
  readonly ended: Promise<Ended>
  /** Wait until a stream holds this; fails, with all that was said, when the program ends without. */
  readonly says: (words: RegExp) => Promise<void>
  readonly signal: (name: NodeJS.Signals) => void
  readonly type: (text: string) => void
}

/** Start any program; no variable of this process that holds a key reaches it. */
export const launch = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd = folder(), env = {}, input }: Options,
): Running => {
  const child = spawn(command, args, { cwd, env: { PATH: process.env["PATH"], ...env } })
  if (input !== undefined) child.stdin.end(input)
  const said = { stdout: "", stderr: "" }
  const listeners = new Set<() => void>()
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, ...said }))
  })
  const says = (words: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const listener = () => {
        if (!words.test(said.stdout) && !words.test(said.stderr)) return
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
      listener()
      ended.then(
        () => reject(new Error(`it ended and never said ${words}\n${said.stdout}\n${said.stderr}`)),
        reject,
      )
    })
  return {
    ended,
    says,
    signal: (name) => child.kill(name),
    type: (text) => child.stdin.write(text),
  }
}

/** Start it; its input is `input` and then the end. */
export const start = (args: ReadonlyArray<string>, options: Options = {}): Running =>
  launch(process.execPath, [bin, ...args], { input: "", ...options })

/** Start it and wait for its end. */
export const program = (args: ReadonlyArray<string>, options: Options = {}): Promise<Ended> =>
  start(args, options).ended

const home = mkdtempSync(join(tmpdir(), "effect-harness-cli-"))
process.on("exit", () => rmSync(home, { recursive: true, force: true }))

/** A new empty folder; it goes when the tests are over. */
export const folder = (): string => mkdtempSync(join(home, "cwd-"))

/** A new folder with files, by name. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const cwd = folder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

export const script = (...steps: ReadonlyArray<object>): string => JSON.stringify({ steps })
