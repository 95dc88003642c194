import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nothing } from "../../src/contract/known.ts"

const ids = ["a", "b", "c", "d", "e"]

describe("known ids", () => {
  it("are those of each version, whichever version grows next", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ids)), { maxLength: 30 }), (steps) => {
        const versions = [{ known: nothing, plain: new Set<string>() }]
        for (const [from, id] of steps) {
          const { known, plain } = versions[versions.length - 1 - (from % versions.length)] ?? {
            known: nothing,
            plain: new Set(),
          }
          if (!known.has(id)) versions.push({ known: known.with(id), plain: new Set([...plain, id]) })
        }
        for (const { known, plain } of versions)
          expect(ids.filter((id) => known.has(id))).toEqual(ids.filter((id) => plain.has(id)))
      }),
    )
  })
})
