/**
 * What a file system forbids, is said to be forbidden, never missing.
 *
 * Mode bits do not bind root: where the tests run as root, the calls run in a process of user `nobody`.
 * Source: earendil-works/pi#3894 and openclaw/acpx#581, where every failure of an access check was taken for absence.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const Result = Schema.Struct({
  text: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
})

const Report = Schema.Struct({
  calls: Schema.Record(Schema.String, Result),
  texts: Schema.Array(Schema.String),
  names: Schema.Array(Schema.String),
})

const nobody = 65534
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Tell whether there is a user here whom mode bits bind, and who may run this Node. */
const modesBind = (): boolean => {
  if (process.platform === "win32") return false
  try {
    execFileSync(process.execPath, ["--eval", ""], { cwd: tmpdir(), stdio: "ignore", ...user })
    return true
  } catch {
    process.stderr.write(
      `Skipped: user ${nobody} cannot run ${process.execPath}, and mode bits do not bind root.\n`,
    )
    return false
  }
}

const reportOf = async (base: string): Promise<typeof Report.Type> => {
  const program = join(base, "calls.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "forbiddenCalls.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  })
  const root = join(base, "ws")
  mkdirSync(root)
  chmodSync(base, 0o755)
  chmodSync(root, 0o777)
  const text = execFileSync(process.execPath, [program, root], { cwd: base, encoding: "utf8", ...user })
  return Schema.decodeUnknownSync(Schema.fromJsonString(Report))(text)
}

describe.runIf(modesBind())("what mode bits forbid", () => {
  let base = ""
  let report: typeof Report.Type

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), "toolkit-"))
    report = await reportOf(base)
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  it.each([
    ["read a missing file", "ENOENT"],
    ["read a forbidden file", "EACCES"],
    ["read a folder", "EISDIR"],
    ["read a path outside", "PATH_OUTSIDE_WORKSPACE"],
    ["read a file in a closed folder", "EACCES"],
    ["list a closed folder", "EACCES"],
    ["search a forbidden file", "EACCES"],
    ["edit a write-protected file", "EACCES"],
    ["edit a missing file", "ENOENT"],
    ["edit a file in a closed folder", "EACCES"],
    ["edit a file in a sealed folder", "EACCES"],
    ["overwrite a write-protected file", "EACCES"],
    ["create a file in a sealed folder", "EACCES"],
    ["create a folder in a sealed folder", "EACCES"],
  ])("to %s ends with %s", (name, code) => {
    const result = report.calls[name]
    expect(result?.code).toBe(code)
    expect(result?.message).not.toContain(base)
    expect(result?.message?.startsWith("Permission denied: ")).toBe(code === "EACCES")
  })

  it("does not stop a listing or a search of what is around it", () => {
    expect(report.calls["list around a closed folder"]?.text?.split("\n")).toEqual([
      "locked.txt",
      "protected.txt",
      "sealed/a.txt",
      "[1 folder could not be read and is left out.]",
    ])
    expect(report.calls["search around a forbidden file"]?.text).toBe(
      [
        "protected.txt:1:text",
        "sealed/a.txt:1:text",
        "[1 folder could not be read and is left out.]",
        "[1 file skipped: not text, too large or not readable.]",
      ].join("\n"),
    )
  })

  it("stays as it was, with nothing left beside it", () => {
    expect(report.texts).toEqual(["text\n", "text\n"])
    expect(report.names).toEqual([
      "closed",
      "closed/a.txt",
      "locked.txt",
      "protected.txt",
      "sealed",
      "sealed/a.txt",
    ])
  })
})
