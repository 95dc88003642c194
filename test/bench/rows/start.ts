/**
 * How long a process takes that does nothing but begin: the command line, and an import of the package.
 *
 * Shape: the built package (`dist`), as users have it.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runNode } from "../inputs/runNode.ts"
import type { Row, Work } from "../Row.ts"

/** Units: microseconds, of the whole process. */
const run =
  (...words: ReadonlyArray<string>) =>
  () => {
    if (!existsSync("dist/bin.js")) throw new Error("there is no dist: npm run build")
    return { kind: "cold" as const, sample: () => runNode(words) }
  }

/** A later start: the first leaves what V8 compiled. */
const listing = (): Work => {
  const folder = mkdtempSync(join(tmpdir(), "effect-harness-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "a.jsonl"), "{}\n")
  const list = run("dist/bin.js", "list", "--dir", folder)()
  list.sample()
  return list
}

const empty = run("--eval", "0")
const importing = (specifier: string) => run("--input-type=module", "--eval", `await import("${specifier}")`)

export const start: Row = {
  name: "start",
  title: "Start",
  floorIs: "a Node process that does nothing",
  lines: [
    {
      name: "start/cli",
      title: "`effect-harness --version`",
      aims: [{ against: "floor", atMost: 1.5 }],
    },
    { name: "start/list", title: "`effect-harness list`", aims: [{ against: "floor", atMost: 2 }] },
    { name: "start/import", title: '`import "effect-harness"`, effect included' },
  ],
  floor: { "start/cli": empty, "start/list": empty, "start/import": empty },
  ours: {
    "start/cli": run("dist/bin.js", "--version"),
    "start/list": listing,
    "start/import": importing("effect-harness"),
  },
}
