/**
 * Make the check of a spec that is used often as fast as one written by hand for it.
 *
 * In:  the check as closures, and as source.      Out: the closures, and after some uses what the source says.
 * Fails with: nothing; where code cannot be made from text, the closures stay.
 * Not here: what the source says (`kind/compile*.ts`).
 *
 * Why: all objects of all specs share the code of one closure, so its every read of a member goes through a table of
 * names; source has a read of its own for each. The source holds keywords and texts that `JSON.stringify` wrote,
 * nothing else of a spec. That both decide alike: test/spec/hasten.prop.test.ts.
 * Source: docs/adr/0019, what it costs and what was rejected.
 */
import { type Place, write } from "../kind/Place.ts"

/** Units: uses. By then the closures have taken about as long as it takes to make the function. */
const patience = 100

type Check = Place["is"]

export const hasten = (place: Pick<Place, "code" | "is">): Check => {
  let check = place.is
  let uses = 0
  return (value) => {
    if (uses < patience && ++uses === patience) check = generate(place) ?? check
    return check(value)
  }
}

/** Make the function now; `undefined` where the platform forbids it. */
export const generate = (place: Pick<Place, "code" | "is">): Check | undefined => {
  const things: Array<unknown> = []
  const functions: Array<string> = []
  const result = write(place, "value", {
    use: (thing) => `t${things.push(thing) - 1}`,
    define: (body) => {
      const name = `f${functions.length}`
      functions.push(`const ${name} = (value) => {\n${body.join("\n")}\n}`)
      return name
    },
  })
  const names = things.map((_, index) => `t${index}`)
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- what this file is for
    const make = new Function(...names, `"use strict"\n${functions.join("\n")}\nreturn (value) => ${result}`)
    return make(...things)
  } catch {
    return undefined
  }
}
