/** Sessions after their first process: resume, fork, replay, export, salvage. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { holdElsewhere } from "../store/elsewhere.ts"
import { folderWith, program, script } from "./program.ts"

const steps = [
  { text: "Let me see.", calls: [{ id: "c1", name: "list_files", arguments: '{"pattern":"*.md"}' }] },
  { text: "One file." },
]

/** A folder with a session `s` of one turn, whose process died when so many lines were written. */
const died = async (lines?: number) => {
  const cwd = folderWith({ "script.json": script(...steps), "rest.json": script({ text: "After all." }) })
  const { stdout } = await program(["run", "what is here", "--model", "script:script.json", "--json"], {
    cwd,
  })
  const { session, log } = JSON.parse(stdout)
  const text = readFileSync(log, "utf8").replaceAll(session, "s")
  const file = join(cwd, ".effect-harness/sessions/s.jsonl")
  writeFileSync(file, lines === undefined ? text : `${text.split("\n").slice(0, lines).join("\n")}\n`)
  return { cwd, file, text }
}

describe("resume", () => {
  it("goes on with the turn that is open, and says what no longer fits", async () => {
    const { cwd, text } = await died(7)
    expect(text.split("\n")[6]).toContain("assistant/message")
    const { code, stdout } = await program(["resume", "s", "--model", "script:rest.json", "--json"], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      session: "s",
      turn: 1,
      text: "After all.",
      resumed: true,
      missing: [],
      misfits: [],
    })
    expect((await program(["check", "s"], { cwd })).code).toBe(0)
  })

  it("has nothing to do when no turn is open, and asks what it is given", async () => {
    const { cwd } = await died()
    const idle = await program(["resume", "s", "--model", "script:rest.json"], { cwd })
    expect(idle).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("no open turn") })
    const asked = await program(["resume", "s", "and now?", "--model", "script:rest.json"], { cwd })
    expect(asked).toMatchObject({ code: 0, stdout: "After all.\n" })
  })

  it("ends with 3 when there is no such session", async () => {
    const { cwd } = await died()
    const { code, stderr } = await program(["resume", "no", "--model", "script:rest.json"], { cwd })
    expect([code, stderr]).toEqual([3, expect.stringContaining("SESSION_NOT_FOUND")])
  })
})

describe("fork", () => {
  it("prints the id of a session that begins like the other, and refuses to cut a step", async () => {
    const { cwd } = await died()
    const forked = await program(["fork", "s"], { cwd })
    expect(forked.code).toBe(0)
    const resumed = await program(["resume", forked.stdout.trim(), "go on", "--model", "script:rest.json"], {
      cwd,
    })
    expect(resumed.stdout).toBe("After all.\n")
    expect((await program(["check", "s", forked.stdout.trim()], { cwd })).code).toBe(0)
    const refused = await program(["fork", "s", "--at", "6"], { cwd })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("fork at 3 or")])
  })

  it("is held against its parent by check", async () => {
    const { cwd } = await died()
    const id = (await program(["fork", "s"], { cwd })).stdout.trim()
    const file = join(cwd, `.effect-harness/sessions/${id}.jsonl`)
    writeFileSync(file, readFileSync(file, "utf8").replace("what is here", "what was here"))
    const { code, stdout } = await program(["check", id, "--json"], { cwd })
    expect(code).toBe(1)
    const [{ violations }] = JSON.parse(stdout).files
    expect(violations.map(({ rule, seq }: { rule: string; seq: number }) => [rule, seq])).toContainEqual([
      "fork.prefix",
      1,
    ])
  })
})

describe("replay", () => {
  it("says that a log is the same, or which request is not", async () => {
    const { cwd, file, text } = await died()
    expect((await program(["replay", "s"], { cwd })).code).toBe(0)
    writeFileSync(file, text.replace("what is here", "what was here"))
    const { code, stdout } = await program(["replay", "s", "--json"], { cwd })
    expect([code, JSON.parse(stdout).differences.length]).toEqual([1, 2])
  })
})

describe("export", () => {
  it("prints one event a line, with secrets as digests", async () => {
    const { cwd, file, text } = await died()
    const marked = text.replaceAll(
      '"pattern":{"type":"string"',
      '"pattern":{"writeOnly":true,"type":"string"',
    )
    expect(marked).not.toBe(text)
    writeFileSync(file, marked)
    const { stdout } = await program(["export", "s"], { cwd })
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at))
    const call = events.find(({ type }) => type === "tool/call")
    expect(call.data.arguments).toMatch(/hmac:[0-9a-f]{16}/)
  })
})

describe("a session that another process seems to have", () => {
  const held = async () => {
    const { cwd } = await died()
    const leases = join(cwd, ".effect-harness/sessions/s.lease")
    mkdirSync(leases, { recursive: true })
    holdElsewhere(join(cwd, ".effect-harness/sessions"))
    return (...args: ReadonlyArray<string>) =>
      program(["resume", "s", "and now?", "--model", "script:rest.json", ...args], { cwd })
  }

  it("is busy, and the line says who has it and what takes it", async () => {
    const resume = await held()
    const { code, stderr } = await resume()
    expect(code).toBe(3)
    expect(stderr).toMatch(/SESSION_BUSY: .*process 1 on elsewhere.*; resume --force takes it/)
    expect(await resume("--steal-after", "86400")).toMatchObject({ code: 3 })
  })

  it.each([[["--force"]], [["--steal-after", "0"]]])("is taken with %s", async (flags) => {
    const resume = await held()
    expect(await resume(...flags)).toMatchObject({ code: 0, stdout: "After all.\n" })
  })
})

describe("a log of a later version", () => {
  const later = async () => {
    const { cwd, file, text } = await died()
    const start =
      '{"seq":0,"at":1,"type":"session/start","data":{"version":9,"id":"s","createdAt":1,"mood":"x"}}'
    const end = text.trimEnd().split("\n").length
    const pause = `{"seq":${JSON.parse(text.trimEnd().split("\n").at(-1) ?? "").seq + 1},"at":1,"type":"turn/pause","data":{"why":"hush"}}`
    expect(end).toBeGreaterThan(5)
    writeFileSync(file, `${[start, ...text.trimEnd().split("\n").slice(1), pause].join("\n")}\n`)
    return { cwd, file }
  }
  const note = expect.stringContaining("it is of version 9, and this program knows version 1")

  it("is looked at, with a note, and what is new in it is not shown to others", async () => {
    const { cwd } = await later()
    const shown = await program(["show", "s"], { cwd })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("One file."), stderr: note })
    expect(await program(["replay", "s"], { cwd })).toMatchObject({ code: 0, stderr: note })
    const exported = await program(["export", "s"], { cwd })
    expect(exported).toMatchObject({ code: 0, stderr: note })
    const last: unknown = JSON.parse(exported.stdout.trim().split("\n").at(-1) ?? "")
    expect(last).toMatchObject({ type: "~9:turn/pause", data: expect.stringMatching(/^hmac:/) })
  })

  it("is not copied, forked or gone on with, and every line says its version", async () => {
    const { cwd, file } = await later()
    const before = readFileSync(file)
    const salvaged = await program(["salvage", "s", "--out", "kept.jsonl"], { cwd })
    expect(salvaged).toMatchObject({ code: 2, stderr: expect.stringContaining("of version 9") })
    expect(existsSync(join(cwd, "kept.jsonl"))).toBe(false)
    const forked = await program(["fork", "s"], { cwd })
    expect(forked).toMatchObject({ code: 3, stderr: expect.stringContaining("a later version, 9") })
    const resumed = await program(["resume", "s", "--model", "script:rest.json"], { cwd })
    expect(resumed).toMatchObject({ code: 3, stderr: expect.stringContaining("UNSUPPORTED_LOG_VERSION") })
    expect(readFileSync(file)).toEqual(before)
  })
})

describe("salvage", () => {
  it("names what is missing by line and byte, and writes what can be gone on with", async () => {
    const { cwd, file, text } = await died()
    const lines = text.split("\n")
    writeFileSync(file, [...lines.slice(0, 5), lines[5]?.slice(0, 20), ...lines.slice(6)].join("\n"))
    const { code, stdout } = await program(["salvage", "s", "--out", "kept.jsonl", "--json"], { cwd })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ unbroken: 5, gaps: [{ line: 6 }] })
    expect((await program(["check", "kept.jsonl"], { cwd })).code).toBe(0)
    expect((await program(["salvage", "s", "--out", "kept.jsonl"], { cwd })).code).toBe(2)
  })
})
