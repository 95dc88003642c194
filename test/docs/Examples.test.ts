/** What pages quote is in the examples, and what they say is printed is printed. */
import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { folder as newFolder, program } from "../cli/program.ts"
import { blocksOf, pages } from "./Page.ts"
import { folder, linkPackages, runExamples, sources, toModule } from "./runExamples.ts"

const blocks = [...pages].flatMap(([path, text]) => blocksOf(text).map((block) => ({ path, ...block })))

const dedent = (lines: ReadonlyArray<string>): string => {
  const filled = lines.filter((line) => line !== "")
  const margin = Math.min(...filled.map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(margin)).join("\n")
}

/** Tell whether a block stands in a text as neighbouring lines, whatever its margin. */
const quotes = (text: string, block: string): boolean => {
  const wanted = block.trimEnd().split("\n")
  const lines = text.split("\n")
  return lines.some((_, at) => dedent(lines.slice(at, at + wanted.length)) === dedent(wanted))
}

describe("quoted code", () => {
  const quoted = blocks.filter(({ language, path }) => language === "ts" && !path.startsWith("docs/adr/"))

  it.each(quoted.map((block) => [block.path, block.text.split("\n", 1).join(), block.text]))(
    "stands in an example: %s, %s",
    (_path, _firstLine, text) => {
      expect([...sources].filter(([, source]) => quotes(source, text)).map(([name]) => name)).not.toEqual([])
    },
  )

  it("shows a part of every example", () => {
    const unused = [...sources].filter(([, source]) => !quoted.some(({ text }) => quotes(source, text)))
    expect(unused.map(([name]) => name)).toEqual([])
  })

  it("is whole lines", () => {
    expect(quotes("  a\n    b\nc\n", "a\n  b\n")).toBe(true)
    expect(quotes("  a\n    b\nc\n", "a\nb\n")).toBe(false)
    expect(quotes("  a\n    b\nc\n", "a\nc\n")).toBe(false)
  })
})

describe("printed text", () => {
  let printed: Readonly<Record<string, string>> = {}
  beforeAll(() => {
    printed = runExamples()
  })

  const claims = blocks.filter(({ info }) => info.startsWith("prints "))

  it.each(claims.map(({ path, info, text }) => [path, info.slice("prints ".length), text]))(
    "is what the example prints: %s, %s",
    (_path, name, text) => expect(printed[`${name}.ts`]).toBe(text),
  )

  it("is on a page for every example that prints", () => {
    const untold = Object.entries(printed).filter(([, text]) => text !== "")
    const told = claims.map(({ info }) => `${info.slice("prints ".length)}.ts`)
    expect(untold.map(([name]) => name).filter((name) => !told.includes(name))).toEqual([])
  })

  it("is the same in the README", () => {
    const [hint] = blocks.filter(
      ({ path, language, info }) => path === "README.md" && language === "text" && info === "",
    )
    expect(hint?.text).toBe(printed["01-first-tool.ts"])
  })
})

describe("command lines", () => {
  const prompt = "$ npx effect-harness "
  const home = newFolder()
  cpSync(join(folder, "logs"), home, { recursive: true })
  linkPackages(home)
  writeFileSync(join(home, "rules.mjs"), toModule("42-rules-module.ts"))

  const shown = blocks.filter(({ language }) => language === "console")

  it.each(shown.map(({ path, text }) => [path, text.split("\n", 1).join(), text] as const))(
    "print what the page shows: %s, %s",
    async (_path, command, text) => {
      expect(command.startsWith(prompt)).toBe(true)
      const { stdout } = await program(command.slice(prompt.length).split(" "), { cwd: home })
      expect(`${command}\n${stdout}`).toBe(text)
    },
  )
})
