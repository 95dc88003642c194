import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import { nearest } from "../../src/text/Nearest.ts"

describe("nearest", () => {
  const pairs: ReadonlyArray<readonly [written: string, meant: string]> = [
    ["pth", "path"],
    ["paht", "path"],
    ["paths", "path"],
    ["Path", "path"],
    ["filePath", "file_path"],
    ["file-path", "file_path"],
    ["file", "file_path"],
    ["target_file_path", "file_path"],
    ["read_fiel", "read_file"],
    ["openai", "openapi"],
    ["ключи", "ключ"],
  ]
  for (const [written, meant] of pairs) {
    it(`finds ${meant} for ${written}`, () => {
      expect(nearest(written, ["zebra", meant, "quux"])).toEqual([meant])
    })
  }

  it("offers nothing rather than something far", () => {
    for (const written of ["colour", "", "xy", "_", "constructor"]) {
      expect(nearest(written, ["path", "limit", "zz"])).toEqual([])
    }
  })

  it("puts the nearest first and offers three at most", () => {
    expect(nearest("lines", ["liner", "line", "lined", "linen", "LINES"])).toEqual(["LINES", "liner", "line"])
  })

  it("does not offer the name itself", () => {
    expect(nearest("path", ["path"])).toEqual([])
  })

  it("looks at no more than the beginning of a long name", () => {
    const long = "x".repeat(1_000_000)
    expect(nearest(long, [`${long}y`, "y"])).toEqual([`${long}y`])
  })
})
