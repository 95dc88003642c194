/** Every error of the package goes to another process as JSON, and is there, and when it comes back, what it was. */
import { execFileSync } from "node:child_process"
import { Arbitrary, Effect } from "effect"
import { buildSync } from "esbuild"
import { describe, expect, it } from "vitest"
import type { HarnessError } from "../../src/error/HarnessError.ts"
import { ToolArgsInvalid, ToolFailed } from "../../src/tool/ToolError.ts"
import { classes, facts, readAll, write } from "./everyError.ts"

const errno = (code: string, cause?: unknown): Error =>
  Object.assign(new Error(`${code}: no`, { cause }), { code })

const causes: ReadonlyArray<unknown> = [
  errno("ENOENT"),
  errno("EACCES", errno("EIO")),
  new TypeError("fetch failed", { cause: new AggregateError([errno("ECONNREFUSED"), errno("ETIMEDOUT")]) }),
  new ToolFailed({
    message: "m",
    tool: "t",
    code: "EPIPE",
    cause: new DOMException("late", "TimeoutError"),
  }),
  new ToolArgsInvalid({ message: "m", tool: "t", violations: [] }),
  "boom",
  { status: 429, message: "slow down" },
]

/** As many of each class as there are causes, with whatever its fields allow. */
const errors: ReadonlyArray<HarnessError> = classes.flatMap((One, seed) => {
  const samples = Effect.runSync(
    Arbitrary.sampleEffect(Arbitrary.schema(One), { count: causes.length, seed }),
  )
  return samples.map((error, i) => Object.defineProperty(error, "cause", { value: causes[i] }))
})

const childSource = `
import { facts, readAll, write } from "./test/error/everyError.ts"
let input = ""
for await (const chunk of process.stdin) input += chunk
const errors = readAll(input)
console.log(JSON.stringify({ facts: errors.map(facts), again: write(errors) }))
`

/** Run in a process of its own, with nothing in common but the sources. */
const inChild = (json: string): { readonly facts: unknown; readonly again: string } => {
  const [output] = buildSync({
    stdin: { contents: childSource, resolveDir: ".", loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    keepNames: true,
    minify: true,
  }).outputFiles
  const args = ["--input-type=module", "--eval", output?.text ?? ""]
  const stdout = execFileSync(process.execPath, args, { input: json, encoding: "utf8" })
  return JSON.parse(stdout)
}

describe("every error", () => {
  it("is an instance of its class again, with the same code and the codes of all its causes", () => {
    expect(new Set(errors.map(({ _tag }) => _tag)).size).toBe(classes.length)
    expect(readAll(write(errors)).map(facts)).toEqual(errors.map(facts))
  })

  it("is the same in another process, and on its way back", () => {
    const sent = write(errors)
    const child = inChild(sent)
    expect(child.facts).toEqual(errors.map(facts))
    expect(JSON.parse(child.again)).toEqual(JSON.parse(sent))
  })
})
