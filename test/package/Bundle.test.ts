/** What a production program carries of the rules: those that are always on, and nothing of the others. */
import { build } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"

const rules = [...logRules, ...liveRules]
const always = rules.filter(({ mode }) => mode === "A")
const others = rules.filter(({ mode }) => mode !== "A")

const bundle = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: "." },
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
  return outputFiles.map((file) => file.text).join("")
}

describe.each(["src/index.ts", "dist/index.js"])("a bundle of %s", (path) => {
  let text = ""
  beforeAll(async () => {
    text = await bundle(`import * as harness from "./${path}"\nconsole.log(harness)`)
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

describe("a bundle of one thing that the built package exports", () => {
  it("holds what that needs, and a little of the rest", async () => {
    const all = await bundle('export * from "./dist/index.js"')
    const tool = await bundle('export { defineTool } from "./dist/index.js"')
    const schema = await bundle('export { JsonSchema } from "./dist/index.js"')
    expect(tool.length).toBeLessThan(0.45 * all.length)
    expect(schema.length).toBeLessThan(0.35 * all.length)
  })
})
