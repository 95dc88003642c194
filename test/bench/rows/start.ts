/**
 * How long a process takes that does nothing but begin: the command line, and an import of the package.
 *
 * Shape: the built package (`dist`), as users have it.
 */
import { existsSync } from "node:fs"
import { runNode } from "../inputs/runNode.ts"
import type { Row, Work } from "../Row.ts"

/** Units: microseconds, of the whole process. */
const run =
  (...words: ReadonlyArray<string>) =>
  (): Work => {
    if (!existsSync("dist/bin.js")) throw new Error("there is no dist: npm run build")
    return { kind: "cold", sample: () => runNode(words) }
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
    { name: "start/import", title: '`import "effect-harness"`, effect included' },
  ],
  floor: { "start/cli": empty, "start/import": empty },
  ours: {
    "start/cli": run("dist/bin.js", "--version"),
    "start/import": importing("effect-harness"),
  },
}
