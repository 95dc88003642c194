/** What a production program carries of the rules: those that are always on, and nothing of the others. */
import { build } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"

const rules = [...logRules, ...liveRules]
const always = rules.filter(({ mode }) => mode === "A")
const others = rules.filter(({ mode }) => mode !== "A")

describe("a bundle of the root entry point", () => {
  let text = ""
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'import * as harness from "./src/index.ts"\nconsole.log(harness)', resolveDir: "." },
      bundle: true,
      charset: "utf8",
      external: ["effect", "effect/*", "node:*", "ajv", "ajv/*"],
      format: "esm",
      legalComments: "none",
      logLevel: "silent",
      minify: true,
      platform: "node",
      write: false,
    })
    text = outputFiles.map((file) => file.text).join("")
  })

  it("holds the words of every rule that is always on", () => {
    expect(always.filter(({ hint }) => !text.includes(hint)).map(({ id }) => id)).toEqual([])
    expect(always.filter(({ id }) => !text.includes(`"${id}"`)).map(({ id }) => id)).toEqual([])
  })

  it("holds no word of any other rule, and nothing of what checks them", () => {
    const said = (words: string) => text.includes(words)
    expect(others.filter(({ statement, hint }) => [statement, hint].some(said))).toEqual([])
    expect(
      ["Cannot change what has been logged", "UnknownInvariant", "effect-harness/invariant/Collected"].filter(
        said,
      ),
    ).toEqual([])
  })
})
