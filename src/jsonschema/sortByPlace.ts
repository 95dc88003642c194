/**
 * Put violations in the order in which a schema declares what they are about.
 *
 * In:  the schema, and violations in any order.      Out: the same, sorted; those of one place stay as they were.
 * Fails with: nothing; what the schema does not declare comes last.
 */
import type { Violation } from "../error/Violation.ts"
import { isRecord, type Path } from "../kind/Words.ts"
import { follow } from "./pointer.ts"

export const sortByPlace = (
  document: unknown,
  violations: ReadonlyArray<Violation>,
): ReadonlyArray<Violation> =>
  violations
    .map((violation) => ({ violation, rank: rankOf(violation.path, document) }))
    .sort((left, right) => compare(left.rank, right.rank))
    .map(({ violation }) => violation)

const rankOf = (path: Path, document: unknown): ReadonlyArray<number> => {
  let here = follow(document, document)
  return path.map((step) => {
    if (typeof step === "number") {
      here = follow(here["items"], document)
      return step
    }
    const properties = isRecord(here["properties"]) ? here["properties"] : {}
    const rank = Object.keys(properties).indexOf(step)
    here = rank < 0 ? {} : follow(properties[step], document)
    return rank < 0 ? Number.MAX_SAFE_INTEGER : rank
  })
}

const compare = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  for (const [index, rank] of left.entries()) {
    const difference = rank - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
