/** Every error carries the code and the retry that the page of errors promises. */
import { Arbitrary, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { codesOf, page, rowsOf } from "../docs/Page.ts"
import { classes } from "./everyError.ts"

const promised = new Map(
  rowsOf(page("docs/reference/errors.md")).map(([tag = "", code = "", retry = ""]) => [
    codesOf(tag).join(),
    { codes: codesOf(code), retry },
  ]),
)

const samples = classes.flatMap((one, seed) =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(one), { count: 1, seed })).map(
    (error) => [error._tag, error] as const,
  ),
)

describe("the code of an error", () => {
  it.each(samples)("%s is the one that the page says, and so is its retry", (tag, error) => {
    const told = promised.get(tag)
    expect(told?.retry).toBe(told?.retry === "by its code" ? "by its code" : error.retry)
    // A class that carries a foreign code has none of its own.
    if (told !== undefined && told.codes.length > 0) expect(told.codes).toContain(error.code)
    expect(["now", "later", "never"]).toContain(error.retry)
  })

  it("is unique among classes that have one", () => {
    const single = [...promised.values()].flatMap(({ codes }) => (codes.length === 1 ? codes : []))
    expect(single.filter((code, at) => single.indexOf(code) !== at)).toEqual([])
  })
})
