/** What a program gets with `import "effect-harness"`, and what it never gets. */
import { readdirSync, readFileSync } from "node:fs"
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

const roomsReached = (modules: ReadonlyMap<string, Module>, start: string): ReadonlyArray<string> =>
  [...new Set([...reach(modules, start).keys()].map((path) => path.split("/")[1] ?? path))].sort()

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

describe("the root entry point", () => {
  it("reaches the rooms of a production program, types included, and no others", () => {
    const rooms = roomsReached(readAll("src", ".ts"), "src/index.ts")
    expect(rooms).toEqual(expect.arrayContaining(["error", "message", "session", "spec", "store", "tool"]))
    expect(rooms.filter((room) => forbidden.includes(room))).toEqual([])
  })

  it("loads none of them once it is built", () => {
    const modules = readAll("dist", ".js")
    const reached = reach(modules, "dist/index.js")
    expect([...reached.keys()].filter((path) => !modules.has(path))).toEqual([])
    const rooms = roomsReached(modules, "dist/index.js")
    expect(rooms).toEqual(expect.arrayContaining(["error", "message", "session", "spec", "store", "tool"]))
    expect(rooms.filter((room) => forbidden.includes(room))).toEqual([])
  })

  it("needs nothing but effect and node", () => {
    const modules = readAll("dist", ".js")
    const packages = [...reach(modules, "dist/index.js").keys()]
      .flatMap((path) => modules.get(path)?.imports ?? [])
      .filter(({ specifier, target }) => target === undefined && !specifier.startsWith("node:"))
      .map(({ specifier }) => specifier.split("/")[0])
    expect([...new Set(packages)]).toEqual(["effect"])
  })
})
