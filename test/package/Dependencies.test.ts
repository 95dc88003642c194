/** What package.json and the lock file promise about other people's code. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const Versions = Schema.Record(Schema.String, Schema.String)
const manifest = Schema.decodeUnknownSync(
  Schema.Struct({ scripts: Versions, peerDependencies: Versions, devDependencies: Versions }),
)(JSON.parse(readFileSync("package.json", "utf8")))

describe("the dependencies", () => {
  it("each have a reason on the page that lists them", () => {
    const page = readFileSync("docs/explain/dependencies.md", "utf8")
    const [peers = "", development = ""] = page.split("## Development")
    const listed = (part: string) =>
      [...part.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? "").sort()
    expect(listed(peers)).toEqual(Object.keys(manifest.peerDependencies).sort())
    const others = Object.keys(manifest.devDependencies).filter(
      (name) => !(name in manifest.peerDependencies),
    )
    expect(listed(development)).toEqual(others.sort())
  })

  it("are pinned exactly where they are ours to choose", () => {
    expect(
      Object.entries(manifest.devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([])
  })

  it("are locked without the address of any registry", () => {
    expect(readFileSync("package-lock.json", "utf8")).not.toContain('"resolved"')
  })
})

describe("the scripts", () => {
  it("are ten at the most", () => {
    expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(10)
  })
})
