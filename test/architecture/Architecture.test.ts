/** The tree as it stands obeys the plan. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { check, format } from "./check.ts"
import { plan } from "./rooms.ts"

const readTree = (folder: string): ReadonlyArray<readonly [string, string]> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !/^test\/fixtures\/|\/node_modules\//.test(path))
    .map((path) => [path, readFileSync(path, "utf8")])

describe("the tree", () => {
  const tree = new Map([...readTree("src"), ...readTree("test"), ...readTree("docs/examples")])

  it("holds every entry point of the plan", () => {
    expect([...tree.keys()].filter((path) => /^src\/[^/]+$/.test(path)).sort()).toEqual(
      Object.keys(plan.doors).sort(),
    )
  })

  it("obeys every rule", () => {
    expect(check(plan, tree).map(format)).toEqual([])
  })
})
