/**
 * The kind `array`: any number of items of one spec.
 *
 * In:  the keywords of one spec, and how to compile its items.      Out: its `Place`.
 * Fails with: a `TypeError` when the spec of the items is wrong.
 * Not here: objects (`compileObject.ts`).
 */
import { Schema } from "effect"
import { anyJson, type Kind, type Place, type Report } from "./Place.ts"
import { mismatch, nestedText, type Path } from "./Words.ts"

/** How many violations of one array are reported, nested ones included: it may have any number of items. */
const maxItemViolations = 100

export const array: Kind = {
  keywords: ["items"],
  compile: (spec, at, compile) => {
    const items = spec["items"] === undefined ? undefined : compile(spec["items"], `${at}[]`)
    const item = items ?? anyJson
    const expected = items === undefined ? "array" : `array of ${items.expected}`
    return {
      schema: Schema.Array(item.schema),
      jsonSchema: items === undefined ? { type: "array" } : { type: "array", items: items.jsonSchema },
      expected,
      walk: (value, path, report) => {
        if (!Array.isArray(value)) {
          report(mismatch(path, expected, value, nestedText(value, "[", "array") ?? single(value, item)))
          return
        }
        walkItems(value, item, path, report)
      },
    }
  },
}

const walkItems = (sent: ReadonlyArray<unknown>, item: Place, path: Path, report: Report): void => {
  let reported = 0
  for (let index = 0; index < sent.length && reported < maxItemViolations; index++) {
    item.walk(sent[index], [...path, index], (violation) => {
      reported++
      report(violation)
    })
  }
}

/** A lone item where a list of them is wanted. */
const single = (value: unknown, item: Place): string | undefined => {
  if (value === null || value === undefined) return undefined
  let fits = true
  item.walk(value, [], () => {
    fits = false
  })
  return fits ? "put it in an array, also when it is the only one" : undefined
}
