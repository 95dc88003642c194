/** What `bin.js` does before the program: say what never changes, and keep what V8 compiled. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "effect-harness-start-"))
const bin = join(folder, "dist/bin.js")
const cache = join(folder, "dist/.cache")

const run = (program: string, words: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  })
  return { status, stdout, stderr }
}
const list = ["list", "--dir", "logs"]
const listed = { status: 0, stdout: "", stderr: "no sessions in logs\n" }

beforeAll(() => {
  cpSync("package.json", join(folder, "package.json"))
  cpSync("dist", join(folder, "dist"), {
    recursive: true,
    filter: (path) => /^dist$|^dist\/bin/.test(path),
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the start of the command line", () => {
  it.each(["--version", "-v", "--help", "-h"])("answers %s as the program does", (word) => {
    const program = run(join(folder, "dist/bin/alone.cjs"), [word])
    expect(program).toMatchObject({ status: 0, stderr: "" })
    expect(run(bin, [word])).toEqual(program)
  })

  it.each(["--version", "--help"])("answers %s without the program", (word) => {
    const lonely = join(folder, "lonely.mjs")
    cpSync(bin, lonely)
    expect(run(lonely, [word]).status).toBe(0)
    expect(run(lonely, list).status).toBe(1)
  })

  it("keeps what V8 compiled beside its own code, for each command", () => {
    expect(run(bin, list, { NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(listed)
    expect(existsSync(cache)).toBe(false)
    expect(run(bin, list)).toEqual(listed)
    const [kept = "", ...others] = readdirSync(cache)
    expect([kept, ...others]).toEqual([expect.stringMatching(/-list$/)])
    const { ino } = statSync(join(cache, kept))
    expect(run(bin, list)).toEqual(listed)
    expect(statSync(join(cache, kept)).ino).toBe(ino)
    expect(run(bin, ["show", "none"]).status).toBe(3)
    expect(readdirSync(cache)).toEqual([kept, kept.replace(/list$/, "show")])
  })

  it("keeps it where Node is told to keep such things", () => {
    const elsewhere = join(folder, "elsewhere")
    expect(run(bin, list, { NODE_COMPILE_CACHE: elsewhere })).toEqual(listed)
    expect(readdirSync(elsewhere)).toContainEqual(expect.stringMatching(/-list$/))
  })

  it("keeps nothing of a command that there is not", () => {
    const before = readdirSync(cache)
    expect(run(bin, ["lst"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Did you mean this? list"),
    })
    expect(run(bin, ["../list"]).status).toBe(2)
    expect(readdirSync(cache)).toEqual(before)
  })

  it("starts with what another V8 compiled, and keeps its own instead", () => {
    const [kept = ""] = readdirSync(cache).map((name) => join(cache, name))
    writeFileSync(kept, "of another V8")
    expect(run(bin, list)).toEqual(listed)
    expect(statSync(kept).size).toBeGreaterThan(100_000)
  })

  it("starts where nothing can be kept", () => {
    rmSync(cache, { recursive: true, force: true })
    writeFileSync(cache, "")
    expect(run(bin, list)).toEqual(listed)
    expect(readdirSync(join(folder, "dist")).sort()).toEqual([".cache", "bin", "bin.js"])
  })
})
