/**
 * Bad input: one clear line, the exit code that says what kind, no stack trace.
 */
import { describe, expect, it } from "vitest"
import { folderWith, type Options, program, script } from "./program.ts"

const done = script({ text: "done" })

interface Case {
  readonly says: string
  readonly args: ReadonlyArray<string>
  readonly code: number
  readonly line: RegExp
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Options["env"]
}

const run = (...args: ReadonlyArray<string>) => ["run", "go", ...args]
const scripted = (...args: ReadonlyArray<string>) => run("--model", "script:s.json", ...args)

const cases: ReadonlyArray<Case> = [
  {
    says: "an empty prompt",
    args: ["run", " ", "--model", "script:s.json"],
    code: 2,
    line: /the prompt is empty/,
  },
  { says: "no model", args: run(), code: 2, line: /Missing required flag: --model/ },
  {
    says: "an unknown provider",
    args: run("--model", "acme:x"),
    code: 2,
    line: /PROVIDER:NAME with one of: openai, .*script:FILE/,
  },
  { says: "a provider without a model", args: run("--model", "openai:"), code: 2, line: /names no model/ },
  { says: "a missing key", args: run("--model", "anthropic:x"), code: 2, line: /set ANTHROPIC_API_KEY/ },
  {
    says: "a base URL that is none",
    args: run("--model", "openai:x"),
    env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "nowhere" },
    code: 2,
    line: /OPENAI_BASE_URL is no http or https URL/,
  },
  {
    says: "a base URL with a password",
    args: run("--model", "openai:x"),
    env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://me:secret@127.0.0.1:1" },
    code: 2,
    line: /OPENAI_BASE_URL holds a user or a password(?!.*secret)/,
  },
  {
    says: "a key of two lines",
    args: run("--model", "openai:x"),
    env: { OPENAI_API_KEY: "secret\nsecret" },
    code: 2,
    line: /OPENAI_API_KEY is no key(?!.*secret)/,
  },
  {
    says: "a script that is not there",
    args: run("--model", "script:none.json"),
    code: 3,
    line: /the script "none.json" cannot be read: ENOENT/,
  },
  {
    says: "a script with a wrong field",
    args: scripted(),
    files: { "s.json": '{"steps":[{"txt":"x"}]}' },
    code: 2,
    line: /txt.*allowed: .*text/,
  },
  {
    says: "a script that is no JSON",
    args: scripted(),
    files: { "s.json": "{" },
    code: 2,
    line: /SCRIPT_INVALID: script: /,
  },
  {
    says: "instructions that are not there",
    args: scripted("--system", "none.md"),
    code: 3,
    line: /the instructions "none.md" cannot be read: ENOENT/,
  },
  {
    says: "a workspace that is no folder",
    args: scripted("--workspace", "s.json"),
    code: 3,
    line: /is not a folder/,
  },
  {
    says: "a workspace that is not there",
    args: scripted("--workspace", "none"),
    code: 3,
    line: /does not exist/,
  },
  {
    says: "a tools module that is not there",
    args: scripted("--tools", "./none.mjs"),
    code: 3,
    line: /does not load: Cannot find module/,
  },
  {
    says: "a tools module that throws",
    args: scripted("--tools", "t.mjs"),
    files: { "s.json": done, "t.mjs": "throw new Error('boo')" },
    code: 3,
    line: /does not load: boo/,
  },
  {
    says: "a tools module without tools",
    args: scripted("--tools", "t.mjs"),
    files: { "s.json": done, "t.mjs": "export default 1" },
    code: 2,
    line: /exports no tools: its default export must be/,
  },
  {
    says: "a tool to allow that is not there",
    args: scripted("--allow", "wrte_file"),
    code: 2,
    line: /did you mean write_file\?/,
  },
  { says: "an unknown flag", args: scripted("--modle", "x"), code: 2, line: /--modle/ },
  { says: "an unknown command", args: ["frob"], code: 2, line: /Unknown subcommand "frob"/ },
  {
    says: "a log that is not there",
    args: ["check", "none.jsonl"],
    code: 3,
    line: /there is no log "none.jsonl"/,
  },
  {
    says: "a folder without logs",
    args: ["check", "."],
    code: 3,
    line: /there is no log in the folder "\."/,
  },
  {
    says: "a folder in place of a log to show",
    args: ["show", "."],
    code: 3,
    line: /the log "\." cannot be read: EISDIR/,
  },
  {
    says: "a log to show that is no log",
    args: ["show", "s.json"],
    files: { "s.json": "{}\n" },
    code: 3,
    line: /CORRUPT_LOG: line 1 \(byte 0\)/,
  },
  {
    says: "a sessions folder that cannot be made",
    args: scripted("--dir", "s.json/x"),
    code: 3,
    line: /STORE_UNAVAILABLE/,
  },
]

describe("bad input", () => {
  it.each(cases)("$says ends with code $code and one line", async ({ args, code, line, files, env }) => {
    const ended = await program(args, { cwd: folderWith(files ?? { "s.json": done }), ...(env && { env }) })
    expect(ended.stderr).toMatch(line)
    expect(ended.code).toBe(code)
    expect(ended.stdout).toBe("")
    expect(ended.stderr).not.toMatch(/^\s+at /m)
    // One line, and for wrong flags one more that points to --help.
    expect(
      ended.stderr
        .trimEnd()
        .split("\n")
        .filter((text) => !text.startsWith("see: ")),
    ).toHaveLength(1)
  })

  it("a file that is no log is unlawful", async () => {
    const ended = await program(["check", "s.json"], { cwd: folderWith({ "s.json": "hello\n" }) })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain("log.lossless at seq 0, line 1 (byte 0): the line is no JSON")
  })

  it("tells a program in JSON what it asked wrong", async () => {
    const usage = await program(["run", "go", "--json"])
    expect(JSON.parse(usage.stdout)).toEqual({
      error: { code: "WRONG_USAGE", message: "Missing required flag: --model" },
    })
    const missing = await program(["show", "none", "--json"])
    expect(missing.code).toBe(3)
    expect(JSON.parse(missing.stdout).error.code).toBe("UNREADABLE")
  })

  it("an empty file is no lawful log", async () => {
    const ended = await program(["check", "s.json"], { cwd: folderWith({ "s.json": "" }) })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain("log.start at seq 0")
  })

  it("says what a tools module that fails had failed with", async () => {
    const effect = JSON.stringify(import.meta.resolve("effect"))
    const tools = `import { Effect } from ${effect}\nexport default Effect.fail(new Error("no db"))`
    const cwd = folderWith({ "s.json": done, "t.mjs": tools })
    const ended = await program(scripted("--tools", "t.mjs"), { cwd })
    expect(ended).toMatchObject({ code: 3, stderr: 'the tools module "t.mjs" does not load: no db\n' })
  })

  it("a piped chat ends badly when one of its turns did", async () => {
    const failing = script({ error: { code: "MODEL_UNAUTHORIZED", message: "no" } }, { text: "fine" })
    const cwd = folderWith({ "s.json": failing })
    const ended = await program(["chat", "--model", "script:s.json"], { cwd, input: "one\ntwo\n" })
    expect(ended).toMatchObject({ code: 1, stdout: "fine\n" })
  })
})
