/** What check prints of files, folders and stdin, and how it ends. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Result } from "effect"
import { Command } from "effect/cli"
import { describe, expect, it, vi } from "vitest"
import { check } from "../../src/cli/check.ts"
import * as Ancestry from "../../src/contract/Ancestry.ts"
import * as CliFailure from "../../src/setup/CliFailure.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { folderWith, program } from "./program.ts"

const logs = join(import.meta.dirname, "../../docs/examples/logs")
const lawful = readFileSync(join(logs, "lawful.jsonl"), "utf8")
const unlawful = readFileSync(join(logs, "unlawful.jsonl"), "utf8")

const written = (stream: NodeJS.WriteStream) => {
  let text = ""
  const spy = vi.spyOn(stream, "write").mockImplementation((piece) => {
    text += piece
    return true
  })
  return () => {
    spy.mockRestore()
    return text
  }
}

/** The command in this process; `good.jsonl` and `bad.jsonl` are in its folder, and names in `args` that end so mean files there. */
const run = async (...args: ReadonlyArray<string>) => {
  const cwd = folderWith({ "good.jsonl": lawful, "bad.jsonl": unlawful })
  const placed = args.map((word) => (/^(\w+\.jsonl|\.)$/.test(word) ? join(cwd, word) : word))
  const [stdout, stderr] = [written(process.stdout), written(process.stderr)]
  const exit = await Effect.runPromise(
    Command.runWith(check, { version: "" })(placed).pipe(Effect.provide(NodeServices.layer), Effect.exit),
  )
  const said = { stdout: stdout().replaceAll(`${cwd}/`, ""), stderr: stderr().replaceAll(`${cwd}/`, "") }
  if (Exit.isSuccess(exit)) return { ...said, code: 0, line: "", cwd }
  const [reason] = exit.cause.reasons
  const { line, exitCode } = CliFailure.describe(reason?._tag === "Fail" ? reason.error : exit.cause)
  return { ...said, code: exitCode, line, cwd }
}

describe("check", () => {
  it("reads stdin of the program", async () => {
    const { code, stdout } = await program(["check", "-"], { input: unlawful })
    expect([code, stdout.split("\n", 1)]).toEqual([1, ["✗ unlawful stdin · 38 events · 2 violations"]])
  })

  it("judges every log of a folder, with line and byte of every violation", async () => {
    const { code, stdout, stderr } = await run(".", "--json")
    const { files } = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(files.map(({ file }: { readonly file: string }) => file)).toEqual(["bad.jsonl", "good.jsonl"])
    const first = { rule: "result.allAtStepEnd", seq: 28, line: 17, byteOffset: 3993 }
    expect(files[0].violations[0]).toMatchObject(first)
    expect(stderr).toBe("session sum is in 2 logs: bad.jsonl, good.jsonl\n")
  })

  it("names a log that is not there, and judges the others", async () => {
    const { code, stdout, stderr } = await run("missing.jsonl", "good.jsonl", "--json")
    const { files } = JSON.parse(stdout)
    expect(files).toMatchObject([
      { file: "missing.jsonl", error: { code: "UNREADABLE" } },
      { file: "good.jsonl", violations: [] },
    ])
    expect(stderr).toMatch(
      /^there is no log "missing.jsonl", neither as a file nor as a session in [^\n]*\n$/,
    )
    expect(code).toBe(3)
    const words = await run("good.jsonl", "missing.jsonl")
    expect(words.stdout).toContain("\n2 logs · 1 lawful · 1 unreadable · 39 events\n")
  })

  it.each([
    [".", /^--fix repairs one log, and ".*" is a folder; name a log in it$/],
    ["-", /^--fix repairs one log, and stdin has no place of its own; save it to a file first$/],
  ])("repairs one log, and says so of %s", async (name, line) => {
    const ended = await run(name, "--fix", "out.jsonl")
    expect(ended.line).toMatch(line)
    expect(ended.code).toBe(2)
  })

  it("lists as many violations as asked for, and counts the others", async () => {
    const { stdout } = await run("bad.jsonl", "--limit", "1")
    expect(stdout).toContain("… 1 more: 1 of history.paired (--limit 0 prints all)\n")
  })

  it("holds logs to some rules only", async () => {
    expect((await run("bad.jsonl", "--only", "turn", "--only", "inbox.order")).code).toBe(0)
    expect((await run("bad.jsonl", "--except", "result", "--except", "history")).code).toBe(0)
    expect((await run("bad.jsonl", "--except", "result")).code).toBe(1)
  })

  it.each([
    [["bad.jsonl", "--only", "status"], "no rule is left that a stored log can be held to"],
    [["bad.jsonl", "--only", "result.pared"], 'did you mean "result.paired"'],
    [["--explain", "result.pared"], 'did you mean "result.paired"'],
    [["good.jsonl", "--explain"], 'good.jsonl" is a log: check it without --explain, or name a rule'],
    [["--explain", "turn.counts", "gone.jsonl"], 'gone.jsonl" is a log'],
    [["--explain", "."], "is a log: check it without --explain"],
    [[], "name a log to check"],
    [["bad.jsonl", "--fix", "good.jsonl"], "cannot write"],
    [["good.jsonl", "bad.jsonl", "--fix", "new.jsonl"], "--fix repairs one log, by all rules"],
    [["bad.jsonl", "--only", "turn", "--fix", "new.jsonl"], "--fix repairs one log, by all rules"],
  ])("refuses wrong usage: %s", async (args, words) => {
    const { code, stdout, line, cwd } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(line).toContain(words)
    expect(readFileSync(join(cwd, "good.jsonl"), "utf8")).toBe(lawful)
    expect(existsSync(join(cwd, "new.jsonl"))).toBe(false)
  })

  it("judges what it can read and ends with 3 when there is something that it cannot", async () => {
    const { code, stdout, stderr, line } = await run("good.jsonl", "/dev/null")
    expect({ code, line }).toEqual({ code: 3, line: "" })
    expect(stdout).toContain("2 logs · 1 lawful · 1 unreadable · 39 events")
    expect(stderr).toMatch(/^the log "\/dev\/null" is no file .*\n$/)
    const { files } = JSON.parse((await run("/dev/null", "--json")).stdout)
    expect(files).toMatchObject([{ file: "/dev/null", error: { code: "UNREADABLE" } }])
  })

  it("tells on stderr of a log that is not finished, and calls it lawful", async () => {
    const cwd = folderWith({ "open.jsonl": `${lawful.split("\n").slice(0, 6).join("\n")}\n{"seq"` })
    const { code, stderr } = await run(join(cwd, "open.jsonl"))
    expect(code).toBe(0)
    expect(stderr).toMatch(/turn 1 is open[^]*the last line is unfinished \(6 bytes\)/)
  })

  it("holds logs to rules of a module beside ours, in one copy of effect and of the package", async () => {
    const dist = (name: string) => JSON.stringify(pathToFileURL(`dist/${name}.js`).href)
    const rules = `import { Rule } from ${dist("invariants")}
      const about = { id: "acme.calls", statement: "Nothing is called.", hint: "Do it yourself." }
      export default Rule.make({ ...about, on: ["tool/call"], initial: 0, step: (at, { data }) => new Rule.Broken(at, [data.callId]) })`
    const cwd = folderWith({ "good.jsonl": lawful, "rules.mjs": rules, "none.mjs": "export const a = 1" })
    const check = (...args: ReadonlyArray<string>) => program(["check", ...args], { cwd })
    const [held, spared, explained, refused, missing] = await Promise.all([
      check("good.jsonl", "--rules", "rules.mjs", "--only", "acme"),
      check("good.jsonl", "--rules=rules.mjs", "--except", "acme.calls"),
      check("--explain", "acme", "--rules", "rules.mjs"),
      check("good.jsonl", "--rules", "none.mjs", "--json"),
      check("good.jsonl", "--rules", "./no.mjs"),
    ])
    expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("acme.calls at seq") })
    expect(spared.code).toBe(0)
    expect(explained.stdout).toMatch(/^acme\.calls\n {2}Nothing is called\.\n {2}Do it yourself\./)
    const error = { code: "WRONG_USAGE", message: expect.stringContaining('exports "a", which is no rule') }
    expect([refused.code, JSON.parse(refused.stdout)]).toEqual([2, { error }])
    expect(missing).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^the rules module .* does not load/),
    })
  })

  it("explains rules, and lists them", async () => {
    const explained = await run("--explain", "turn.counts", "--json")
    const says = [{ rule: "turn.counts", seq: 2 }]
    expect(JSON.parse(explained.stdout).rules).toMatchObject([
      { rule: "turn.counts", mode: "D", example: { says } },
    ])
    expect((await run("--explain")).stdout).toContain("\n  result.paired ")
  })
})

describe("check --fix", () => {
  it("repairs into a new file, which is lawful, and changes no other", async () => {
    const { code, stdout, cwd } = await run("bad.jsonl", "--fix", "new.jsonl", "--json")
    expect(code).toBe(0)
    const out = { file: "new.jsonl", events: 31, violations: [] }
    expect(JSON.parse(stdout)).toMatchObject({ file: "bad.jsonl", kept: 28, remains: [], out })
    expect(readFileSync(join(cwd, "bad.jsonl"), "utf8")).toBe(unlawful)
    expect(readFileSync(join(cwd, "new.jsonl"), "utf8").split("\n", 16)).toEqual(unlawful.split("\n", 16))
  })

  it("says what it keeps, leaves out and adds", async () => {
    const { stdout } = await run("bad.jsonl", "--fix", "new.jsonl")
    expect(stdout).toMatch(/keeps +28 events: seq 0 to 27\n +leaves out +seq 28 to 37: result\.allAtStepEnd/)
    expect(stdout).toMatch(/adds +seq 28 tool\/result of call-2: outcome-unknown\n/)
  })

  it("writes nothing where nothing is to repair, or nothing can be", async () => {
    const unneeded = await run("good.jsonl", "--fix", "new.jsonl")
    expect(unneeded).toMatchObject({
      code: 0,
      stdout: "✓ lawful good.jsonl · nothing to repair, nothing written\n",
    })
    const cwd = folderWith({ "lost.jsonl": lawful.split("\n").slice(1).join("\n") })
    const lost = await run(join(cwd, "lost.jsonl"), "--fix", "new.jsonl")
    expect(lost).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/cannot +log\.start: [^]*nothing written\n$/),
    })
    expect([unneeded, lost].map((one) => existsSync(join(one.cwd, "new.jsonl")))).toEqual([false, false])
  })

  it("has what a fork that broke off lacks from the log of its parent beside it, or says what is wanting", async () => {
    const rows = lawful.split("\n")
    const events = Result.getOrThrow(LogFile.parse(new TextEncoder().encode(lawful))).events
    const seq = events.length - 1
    const parent = { id: "sum", seq, digest: Ancestry.digest(events, seq) }
    const data = { version: 1, id: "half", createdAt: 0, parent }
    const half = [
      JSON.stringify({ seq: 0, at: 0, type: "session/start", data }),
      ...rows.slice(1, 4),
      "",
    ].join("\n")
    const cwd = folderWith({ "sum.jsonl": lawful, "half.jsonl": half })
    const mended = await run(join(cwd, "half.jsonl"), "--fix", join(cwd, "new.jsonl"))
    expect(mended.code).toBe(0)
    expect(mended.stdout).toContain(
      `keeps       39 events: seq 0 to 38\n  takes       seq 1 to 38 of them from its parent sum\n`,
    )
    expect(readFileSync(join(cwd, "new.jsonl"), "utf8").split("\n").slice(1)).toEqual(rows.slice(1))
    const alone = folderWith({ "half.jsonl": half })
    const lost = await run(join(alone, "half.jsonl"), "--fix", join(alone, "new.jsonl"))
    expect(lost.code).toBe(1)
    expect(lost.stdout).toMatch(
      /cannot +fork\.prefix: it broke off while it was made, before seq 38, and the log of its parent sum is not beside it/,
    )
    expect(existsSync(join(alone, "new.jsonl"))).toBe(false)
  })

  it("ends the new log before a break of the user's own rule as well", async () => {
    const rules = `export default { id: "acme.short", statement: "It is short.", hint: "Stop.", mode: "D", sees: "log",
      fold: { broken: [], step: ({ seq }) => ({ broken: seq > 9 ? ["long"] : [], step() { return { broken: ["long"] } } }) } }`
    const cwd = folderWith({ "rules.mjs": rules })
    const ended = await run("good.jsonl", "--fix", "new.jsonl", "--rules", join(cwd, "rules.mjs"))
    expect(ended.stdout).toMatch(
      /keeps +1 event: seq 0 to 0\n +leaves out +seq 1 to 38: acme\.short at seq 1: long/,
    )
  })
  it("says where two different rows of one seq stood, which one it keeps and why, and asks for a review", async () => {
    const rows = lawful.split("\n")
    const at = rows.findIndex((row) => row.startsWith('{"seq":28,'))
    const other = (rows[at] ?? "").replaceAll("42", "43")
    const proof = "the digest of the request at seq 30 is that of this one only"
    const fix = async (rival: string) => {
      const log = [...rows.slice(0, at), rival, ...rows.slice(at)].join("\n")
      const cwd = folderWith({ "twice.jsonl": log })
      const out = join(cwd, "new.jsonl")
      const ended = await run(join(cwd, "twice.jsonl"), "--fix", out)
      return { ...ended, stdout: ended.stdout.replaceAll(`${cwd}/`, ""), text: readFileSync(out, "utf8") }
    }
    const proved = await fix(other)
    expect(proved.text).toBe(lawful)
    expect(proved.code).toBe(0)
    expect(proved.stdout).toMatch(
      /leaves out {2}seq 28 of line 17, byte \d+: two different rows of seq 28: the one of line 18 is kept\n/,
    )
    expect(proved.stdout).toContain(
      `✓ lawful new.jsonl · 39 events\n  review      seq 28 stood twice with different content: line 18 kept, line 17 left out; ${proof}\n`,
    )
    const guessed = await fix((rows[at] ?? "").replace('"at":1', '"at":2'))
    expect(guessed.code).toBe(1)
    expect(guessed.stdout).toContain(
      "! lawful, but to be reviewed new.jsonl · 39 events\n  review      seq 28 stood twice with different content: line 17 kept, line 18 left out; nothing in the log tells which is right, so the first is kept\n",
    )
  })
})
