/**
 * The examples as their readers run them: in a project that has the built package in its node_modules.
 *
 * In:  nothing; `npm test` has built `dist` before.      Out: what each example prints; one as a module, in a folder where it runs.
 * Order: all of them run in one process, one after the other; starting effect once is the dear part.
 * Not here: the examples that are tests of their own (`exampleTests.test.ts`).
 */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Schema } from "effect"
import { transformSync } from "esbuild"

export const folder = "docs/examples"

/** All of them, by file name. */
export const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
)

/** Run this in the project: it prints one JSON object, from the name of an example to what it printed. */
const runner = `
const printed = {}
for (const name of process.argv.slice(2)) {
  printed[name] = ""
  console.log = (line) => { printed[name] += line + "\\n" }
  await import("./" + name.replace(/ts$/, "mjs"))
}
process.stdout.write(JSON.stringify(printed))
`

const Printed = Schema.Record(Schema.String, Schema.String)

/** No key of the person who runs the tests reaches an example. */
const environment = { PATH: process.env["PATH"] }

/** Give a folder the packages that examples import. */
export const linkPackages = (project: string): void => {
  mkdirSync(join(project, "node_modules"))
  symlinkSync(resolve("."), join(project, "node_modules/effect-harness"))
  for (const name of ["effect", "@effect", "@ai-sdk"])
    symlinkSync(resolve("node_modules", name), join(project, "node_modules", name))
}

/** An example as JavaScript. */
export const toModule = (name: string): string =>
  transformSync(sources.get(name) ?? "", { loader: "ts", format: "esm", target: "node20" }).code

/** What each example prints, by file name. */
export const runExamples = (): Readonly<Record<string, string>> => {
  const project = mkdtempSync(join(tmpdir(), "effect-harness-docs-"))
  try {
    linkPackages(project)
    cpSync(join(folder, "logs"), join(project, "logs"), { recursive: true })
    const names = [...sources.keys()].filter((name) => !name.endsWith(".test.ts"))
    for (const name of names) writeFileSync(join(project, name.replace(/ts$/, "mjs")), toModule(name))
    writeFileSync(join(project, "run.mjs"), runner)
    const output = execFileSync(process.execPath, ["run.mjs", ...names], {
      cwd: project,
      encoding: "utf8",
      env: environment,
    })
    return Schema.decodeUnknownSync(Printed)(JSON.parse(output))
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}
