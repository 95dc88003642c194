/**
 * What each command prints and how it ends, when all is well.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderWith, program, script } from "./program.ts"

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) })

const home = () =>
  folderWith({
    "a.txt": "one\ntwo\n",
    "script.json": script(
      {
        text: "Reading.",
        calls: [call("read_file", { path: "a.txt" })],
        usage: { inputTokens: 5, outputTokens: 3 },
      },
      { text: "It has two lines." },
    ),
  })

const sessions = (cwd: string): ReadonlyArray<string> => {
  const dir = join(cwd, ".effect-harness/sessions")
  return readdirSync(dir)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(dir, name))
}

describe("run", () => {
  it("writes the answer to stdout and the timeline to stderr", async () => {
    const { code, stdout, stderr } = await program(
      ["run", "How long is a.txt?", "--model", "script:script.json"],
      {
        cwd: home(),
      },
    )
    expect(code).toBe(0)
    expect(stdout).toBe("It has two lines.\n")
    expect(stderr).toContain('call   read_file {"path":"a.txt"}')
    expect(stderr).toContain("turn 1 completed · 2 steps · 1 call · 8 tokens")
  })

  it("prints one JSON object and leaves a lawful log of mode 0600", async () => {
    const cwd = home()
    const { code, stdout, stderr } = await program(["run", "go", "--model", "script:script.json", "--json"], {
      cwd,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      turn: 1,
      steps: 2,
      text: "It has two lines.",
      reason: { kind: "completed" },
      usage: { inputTokens: 5, outputTokens: 3 },
      refused: [],
    })
    expect(statSync(report.log).mode & 0o777).toBe(0o600)
    const checked = await program(["check", report.log, "--json"], { cwd })
    expect(checked.code).toBe(0)
    expect(JSON.parse(checked.stdout)).toEqual({
      files: [{ file: report.log, events: expect.any(Number), violations: [], more: 0 }],
    })
  })

  it("gives the instructions to the model and the tools of a module to the agent", async () => {
    const cwd = home()
    writeFileSync(join(cwd, "system.md"), "Be brief.")
    writeFileSync(
      join(cwd, "tools.mjs"),
      `import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
import { Toolbox, defineTool } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)}
const greet = defineTool({ name: "greet", description: "", parameters: { who: { type: "string", required: true } },
  run: ({ who }) => Effect.succeed("hello " + who) })
export default Effect.sync(() => Toolbox.make(greet))`,
    )
    writeFileSync(
      join(cwd, "script.json"),
      script({ calls: [call("greet", { who: "you" })] }, { text: "done" }),
    )
    const args = [
      "run",
      "go",
      "--model",
      "script:script.json",
      "--tools",
      "tools.mjs",
      "--system",
      "system.md",
    ]
    const { code, stderr } = await program(args, { cwd })
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("hello you") })
    expect(readFileSync(sessions(cwd)[0] ?? "", "utf8")).toContain('"system":"Be brief."')
  })

  it("changes nothing that was not allowed by name", async () => {
    const cwd = home()
    writeFileSync(
      join(cwd, "script.json"),
      script({ calls: [call("write_file", { path: "b.txt", content: "x" })] }, { text: "done" }),
    )
    const args = ["run", "go", "--model", "script:script.json", "--json"]
    const refused = JSON.parse((await program(args, { cwd })).stdout)
    expect(refused.refused).toMatchObject([{ name: "write_file", error: { code: "TOOL_DENIED" } }])
    const allowed = JSON.parse((await program([...args, "--allow", "write_file"], { cwd })).stdout)
    expect(allowed.refused).toEqual([])
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("x")
    const denied = await program([...args, "--allow", "write_file", "--deny", "write_file"], { cwd })
    expect(JSON.parse(denied.stdout).refused).toHaveLength(1)
  })
})

describe("chat", () => {
  it("runs a turn a line, in one session", async () => {
    const cwd = home()
    const { code, stdout } = await program(["chat", "--model", "script:script.json"], {
      cwd,
      input: "one\n\ntwo",
    })
    expect(code).toBe(0)
    expect(stdout).toBe("It has two lines.\n")
    expect(sessions(cwd)).toHaveLength(1)
    const { stdout: shown } = await program(["show", sessions(cwd)[0] ?? ""], { cwd })
    expect(shown).toContain("turn 2 completed")
  })
})

describe("list, show, check", () => {
  it("take a session by its id", async () => {
    const cwd = home()
    const { session } = JSON.parse(
      (await program(["run", "go", "--model", "script:script.json", "--json"], { cwd })).stdout,
    )
    const listed = await program(["list"], { cwd })
    expect(listed.stdout.split("\n")[1]).toContain(session)
    expect(JSON.parse((await program(["list", "--json"], { cwd })).stdout).sessions).toMatchObject([
      { id: session },
    ])
    const shown = await program(["show", session], { cwd })
    expect(shown.stdout).toContain("✓ ok   read_file")
    expect(JSON.parse((await program(["show", session, "--json"], { cwd })).stdout).events[0].type).toBe(
      "session/start",
    )
    expect((await program(["check", session], { cwd })).stdout).toMatch(/^✓ lawful .* · \d+ events\n$/)
  })

  it("name every violation of an unlawful log", async () => {
    const cwd = home()
    await program(["run", "go", "--model", "script:script.json"], { cwd })
    const log = sessions(cwd)[0] ?? ""
    const rows = readFileSync(log, "utf8").trimEnd().split("\n")
    writeFileSync(log, `${rows.filter((row) => !row.includes('"step/end"')).join("\n")}\n`)
    const { code, stdout } = await program(["check", log, "--json"], { cwd })
    expect(code).toBe(1)
    const [file] = JSON.parse(stdout).files
    expect(file.violations.map(({ rule }: { readonly rule: string }) => rule)).toEqual(
      expect.arrayContaining(["log.seq", "step.nests"]),
    )
  })
})

describe("--version", () => {
  it("prints the version of package.json", async () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"))
    expect((await program(["--version"])).stdout).toBe(`${manifest.version}\n`)
  })
})
