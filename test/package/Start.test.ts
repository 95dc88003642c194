/** What `bin.js` does before the program: say what never changes, and keep what V8 compiled. */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32 } from "node:zlib"
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

const keptFor = (command: string) =>
  join(cache, readdirSync(cache).find((name) => name.endsWith(`-${command}`)) ?? "none")

const withMiddle = (code: Buffer, middle: Uint8Array) => {
  const start = code.length >> 1
  return Buffer.concat([code.subarray(0, start), middle, code.subarray(start + middle.length)])
}

const withSum = (code: Uint8Array) => {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(code))
  return Buffer.concat([code, sum])
}

const expectWhole = (file: string) => {
  const bytes = readFileSync(file)
  expect(bytes.length).toBeGreaterThan(100_000)
  expect(bytes.equals(withSum(bytes.subarray(0, -4)))).toBe(true)
}

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

  it.each<[string, (code: Buffer) => Uint8Array]>([
    ["has a hole in its middle", (code) => withMiddle(code, new Uint8Array(4096))],
    ["has one bit changed", (code) => withMiddle(code, Buffer.of((code[code.length >> 1] ?? 0) ^ 1))],
    ["ends too early", (code) => code.subarray(0, code.length >> 1)],
    ["lacks its last byte", (code) => code.subarray(0, -1)],
    ["is of zeros", (code) => new Uint8Array(code.length)],
    ["holds nothing but the sum of nothing", () => new Uint8Array(4)],
    ["is of another V8", () => withSum(Buffer.from("of another V8"))],
    ["is shorter than a sum", () => Buffer.of(1)],
  ])("starts with a file that %s, and keeps a whole one instead", (_damage, damage) => {
    const file = keptFor("list")
    writeFileSync(file, damage(readFileSync(file)))
    expect(run(bin, list)).toEqual(listed)
    expectWhole(file)
  })

  it("starts every command of which the file is damaged", () => {
    const files = readdirSync(cache).map((name) => join(cache, name))
    for (const file of files) writeFileSync(file, withMiddle(readFileSync(file), new Uint8Array(4096)))
    expect(run(bin, list)).toEqual(listed)
    expect(run(bin, ["show", "none"]).status).toBe(3)
    expect(files).toEqual([keptFor("list"), keptFor("show")])
    files.forEach(expectWhole)
  })

  it("leaves no draft beside a folder in the file's place", () => {
    const file = keptFor("list")
    const names = readdirSync(cache)
    rmSync(file)
    mkdirSync(file)
    expect(run(bin, list)).toEqual(listed)
    expect(readdirSync(cache)).toEqual(names)
    rmSync(file, { recursive: true })
    expect(run(bin, list)).toEqual(listed)
    expectWhole(file)
    expect(readdirSync(cache)).toEqual(names)
  })

  it("leaves no draft where there is no room for it", () => {
    rmSync(cache, { recursive: true, force: true })
    const inLittleRoom = ["-c", 'ulimit -f 100; exec "$0" "$@"', process.execPath, bin, ...list]
    const { status, stderr } = spawnSync("sh", inLittleRoom, { cwd: folder, encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 0, stderr: listed.stderr })
    expect(readdirSync(cache)).toEqual([])
  })

  it("starts where nothing can be kept", () => {
    rmSync(cache, { recursive: true, force: true })
    writeFileSync(cache, "")
    expect(run(bin, list)).toEqual(listed)
    expect(readdirSync(join(folder, "dist")).sort()).toEqual([".cache", "bin", "bin.js"])
  })
})
