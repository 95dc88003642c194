/** What a program gets with `import "effect-harness"`, and what it never gets. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { reach } from "../architecture/checkDoors.ts"
import { type Module, read } from "../architecture/Module.ts"

const readAll = (folder: string, extension: string): ReadonlyMap<string, Module> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(extension) && !path.startsWith("dist/bin"))
      .map((path) => [path, read(path, readFileSync(path, "utf8"))]),
  )

const reached = (modules: ReadonlyMap<string, Module>, start: string): ReadonlyArray<string> => [
  ...reach(modules, start).keys(),
]

const roomsOf = (sources: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(sources.map((path) => path.split("/")[1] ?? path))].sort()

const SourceMap = Schema.fromJsonString(Schema.Struct({ sources: Schema.Array(Schema.String) }))

/** The sources of a bundled file, from the root of the repository. One that only exports what others hold has no map. */
const sourcesOf = (path: string): ReadonlyArray<string> => {
  const map = `${path}.map`
  if (!existsSync(map)) return []
  const { sources } = Schema.decodeUnknownSync(SourceMap)(readFileSync(map, "utf8"))
  return sources
    .map((source) => posix.join(posix.dirname(path), source))
    .filter((source) => existsSync(source))
}

const forbidden = [
  "arbitrary",
  "cli",
  "conformance",
  "explore",
  "invariant",
  "mutant",
  "rulebook",
  "setup",
  "terminal",
  "testing",
  "viewer",
]

const needed = ["error", "message", "session", "spec", "store", "tool"]

describe("the root entry point", () => {
  it("reaches the rooms of a production program, types included, and no others", () => {
    const rooms = roomsOf(reached(readAll("src", ".ts"), "src/index.ts"))
    expect(rooms).toEqual(expect.arrayContaining(needed))
    expect(rooms.filter((room) => forbidden.includes(room))).toEqual([])
  })

  it("loads none of them once it is built, and few files", () => {
    const modules = readAll("dist", ".js")
    const files = reached(modules, "dist/index.js")
    expect(files.filter((path) => !modules.has(path))).toEqual([])
    expect(files).toHaveLength(3)
    const rooms = roomsOf(files.flatMap(sourcesOf))
    expect(rooms).toEqual(expect.arrayContaining(needed))
    expect(rooms.filter((room) => forbidden.includes(room))).toEqual([])
  })

  it("needs nothing but node, and modules of effect one by one", () => {
    const modules = readAll("dist", ".js")
    const specifiers = reached(modules, "dist/index.js")
      .flatMap((path) => modules.get(path)?.imports ?? [])
      .filter(({ specifier, target }) => target === undefined && !specifier.startsWith("node:"))
      .map(({ specifier }) => specifier)
    expect(specifiers).toContain("effect/Effect")
    expect(specifiers.filter((specifier) => !/^effect\/[A-Z]\w+$/.test(specifier))).toEqual([])
  })
})

describe("the entry points, once they are built", () => {
  it("have one copy of each module in all", () => {
    const files = [...readAll("dist", ".js").keys(), "dist/bin/shared.js"]
    const sources = files.flatMap(sourcesOf).filter((source) => source.startsWith("src/"))
    expect(sources.length).toBeGreaterThan(200)
    expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([])
  })
})
