/**
 * The built command line as a person starts it.
 *
 * In:  arguments.      Out: exit code, stdout, stderr.
 * Not here: building it (`npm test` does that first).
 */
import { spawn } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
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
  readonly input?: string
}

/** Start it and wait for its end; no variable of this process that holds a key reaches it. */
export const program = (args: ReadonlyArray<string>, options: Options = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? folder(),
      env: { PATH: process.env["PATH"], ...options.env },
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.end(options.input ?? "")
  })

/** A new empty folder. */
export const folder = (): string => mkdtempSync(join(tmpdir(), "effect-harness-cli-"))

/** A new folder with files, by name. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const home = folder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
  return home
}

export const script = (...steps: ReadonlyArray<object>): string => JSON.stringify({ steps })
