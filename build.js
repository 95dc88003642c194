/**
 * Build `dist`: the library's types by tsc, its entry points as bundles, and the command line twice.
 *
 *   dist/index.js, …      the entry points, with one copy of each module in all of them (`build/library.js`)
 *   dist/<room>/X.d.ts    the types
 *   dist/bin.js           says what never changes, else picks one of the two by its arguments (`build/launcher.js`)
 *   dist/bin/alone.cjs    has effect and the library inside: starts fast (`build/program.js`)
 *   dist/bin/shared.js    imports effect and the library as a `--tools` or `--rules` module does, so that both share one copy
 *
 * Source: docs/adr/0007, why two; docs/adr/0020 and 0021, how they start.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { renameSync, rmSync } from "node:fs"

process.chdir(import.meta.dirname)
const { buildLibrary } = await import("./build/library.js")
const { buildProgram } = await import("./build/program.js")

/** Built beside `dist` and put in its place at the end: a build that fails leaves the last good one. */
const out = `dist.${process.pid}`
process.on("exit", () => rmSync(out, { recursive: true, force: true }))

const declare = async () => {
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", out]
  const [status] = await once(spawn(process.execPath, tsc, { stdio: "inherit" }), "exit")
  if (status !== 0) process.exit(1)
}

await Promise.all([declare(), buildLibrary(out), buildProgram(out)])
rmSync("dist", { recursive: true, force: true })
renameSync(out, "dist")
