/** What npm would publish works in plain Node, with nothing beside it but effect, and what two doors need: the client of Postgres, and fast-check. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const project = realpathSync(mkdtempSync(join(tmpdir(), "effect-harness-package-")))
const installed = join(project, "node_modules/effect-harness")

const Packed = Schema.Tuple([
  Schema.Struct({ filename: Schema.String, files: Schema.Array(Schema.Struct({ path: Schema.String })) }),
])
let files: ReadonlyArray<string> = []

/** Run a module of the project; what it prints is JSON. */
const run = (name: string, ...lines: ReadonlyArray<string>): unknown => {
  const path = join(project, name)
  writeFileSync(path, lines.join("\n"))
  return JSON.parse(execFileSync(process.execPath, [path], { cwd: project, encoding: "utf8" }))
}

beforeAll(() => {
  const [packed] = Schema.decodeUnknownSync(Packed)(
    JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", project], { encoding: "utf8" })),
  )
  files = packed.files.map(({ path }) => path)
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", join(project, packed.filename), "-C", installed, "--strip-components=1"])
  mkdirSync(join(project, "node_modules/@effect"))
  for (const name of ["effect", "fast-check", "@effect/sql-pg"])
    symlinkSync(resolve("node_modules", name), join(project, "node_modules", name))
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe("the packed package", () => {
  it("holds what its users need and nothing else", () => {
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/bin.js", "dist/index.d.ts"]))
    expect(
      files.filter(
        (path) => !/^(dist|docs|src)\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(path),
      ),
    ).toEqual([])
  })

  it("opens every entry point", () => {
    const names = run(
      "doors.mjs",
      'import { readFileSync } from "node:fs"',
      'const { exports } = JSON.parse(readFileSync("node_modules/effect-harness/package.json", "utf8"))',
      'const doors = Object.keys(exports).filter((name) => !name.endsWith(".json"))',
      "const sizes = await Promise.all(",
      '  doors.map(async (name) => [name, Object.keys(await import(name.replace(".", "effect-harness"))).length > 0]),',
      ")",
      "console.log(JSON.stringify(Object.fromEntries(sizes)))",
    )
    expect(names).toEqual({
      ".": true,
      "./invariants": true,
      "./testing": true,
      "./arbitrary": true,
      "./toolkit": true,
      "./ai-sdk": true,
      "./postgres": true,
    })
  })

  it("runs a tool, and tells bad arguments by their tag", () => {
    const results = run(
      "tool.mjs",
      'import { Effect } from "effect"',
      'import { defineTool, Tool } from "effect-harness"',
      "const greet = defineTool({",
      '  name: "greet",',
      '  description: "Greet somebody",',
      '  parameters: { name: { type: "string", required: true } },',
      "  run: ({ name }) => Effect.succeed(`Hello ${name}`),",
      "})",
      'const good = await Effect.runPromise(Tool.run(greet)(\'{"name":"Ada"}\'))',
      'const bad = await Effect.runPromise(Effect.flip(Tool.run(greet)(\'{"nam":"Ada"}\')))',
      "console.log(JSON.stringify([good, bad._tag, bad.code]))",
    )
    expect(results).toEqual(["Hello Ada", "ToolArgsInvalid", "INVALID_ARGS"])
  })

  it("lets a tools module and the command line share one copy of effect", () => {
    writeFileSync(
      join(project, "tools.mjs"),
      [
        'import { Effect, Schema } from "effect"',
        'import { defineTool, Toolbox } from "effect-harness"',
        "const ours = Effect.runFork(Effect.void).constructor",
        "export default Toolbox.make(defineTool({",
        '  name: "double",',
        '  description: "Double a number that comes as text",',
        "  parameters: Schema.Struct({ n: Schema.NumberFromString }),",
        "  run: ({ n }) => Effect.withFiber((fiber) =>",
        '    Effect.succeed(`${n * 2} in ${fiber.constructor === ours ? "one copy" : "two copies"}`)),',
        "}))",
      ].join("\n"),
    )
    const script = { steps: [{ calls: [{ name: "double", arguments: '{"n":"21"}' }] }, { text: "done" }] }
    writeFileSync(join(project, "script.json"), JSON.stringify(script))
    const bin = join(installed, "dist/bin.js")
    const effectHarness = (...words: ReadonlyArray<string>) =>
      execFileSync(process.execPath, [bin, ...words], { cwd: project, encoding: "utf8" })
    const common = ["--model", "script:script.json", "--dir", "logs", "--json"]
    const ran = effectHarness("run", "double it", ...common, "--tools", "./tools.mjs", "--allow", "double")
    const { log } = Schema.decodeUnknownSync(Schema.Struct({ log: Schema.String }))(JSON.parse(ran))
    expect(effectHarness("show", log)).toContain("42 in one copy")
  })

  it("lets a rules module and the command line share one copy of the package", () => {
    writeFileSync(
      join(project, "rules.mjs"),
      [
        'import { Rule } from "effect-harness/invariants"',
        "export const none = Rule.make({",
        '  id: "acme.none", statement: "Nothing is logged.", hint: "Log nothing.", initial: 0,',
        '  step: (state) => new Rule.Broken(state, ["something is logged"]),',
        "})",
      ].join("\n"),
    )
    const log = join(installed, "docs/examples/logs/lawful.jsonl")
    const words = [join(installed, "dist/bin.js"), "check", log, "--rules", "./rules.mjs", "--limit", "1"]
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: project, encoding: "utf8" })
    expect(status).toBe(1)
    expect(stdout).toMatch(/violations\n {2}acme\.none at seq 0/)
  })
})
