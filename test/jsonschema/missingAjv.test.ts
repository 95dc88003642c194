/** A program without Ajv: everything works but the check, and the check says what to install. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { buildSync } from "esbuild"
import { expect, it } from "vitest"

const program = `
import { raw } from "./src/tool/Tool.ts"
const define = (validate) => {
  try {
    return raw({ name: "x", description: "X.", parameters: { type: "object" }, validate, run: () => 1 }).name
  } catch (error) {
    return String(error)
  }
}
console.log(JSON.stringify([define(false), define(true)]))
`

it("is asked for only where a schema is to be checked, and named when it is not installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "effect-harness-no-ajv-"))
  try {
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(resolve("node_modules/effect"), join(folder, "node_modules/effect"))
    buildSync({
      stdin: { contents: program, resolveDir: resolve("."), loader: "ts" },
      outfile: join(folder, "program.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["effect", "effect/*"],
    })
    const printed = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" })
    expect(JSON.parse(printed)).toEqual([
      "x",
      "TypeError: checking a raw JSON Schema (validate: true) needs ajv; run: npm install ajv@8",
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
