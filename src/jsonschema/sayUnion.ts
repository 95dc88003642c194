/**
 * Answer for a union that no branch of fits: from the branch that was meant, not from all of them.
 *
 * In:  the union's complaint, and what each branch complains of.      Out: violations, never none.
 * Fails with: nothing.
 *
 * Order of guessing: the branches whose type fits; of these the ones whose constants fit, for those tell branches
 * apart; of these the one with the fewest complaints.
 */
import type { Violation } from "../error/Violation.ts"
import { list, mismatch, type Path } from "../kind/Words.ts"
import { count } from "../text/Excerpt.ts"
import type { AjvError } from "./loadAjv.ts"
import { follow, stepsOf } from "./pointer.ts"
import { either, membersOf, sayWant } from "./sayWant.ts"
import { memberAdvice } from "./toViolation.ts"

export interface Branch {
  readonly schema: unknown
  readonly errors: ReadonlyArray<AjvError>
}

export const sayUnion = (
  error: AjvError,
  path: Path,
  branches: ReadonlyArray<Branch>,
  document: unknown,
  say: (branch: Branch) => ReadonlyArray<Violation>,
): ReadonlyArray<Violation> => {
  const passing = error.params["passingSchemas"]
  if (Array.isArray(passing)) {
    const expected = `exactly one of ${count(branches.length, "form")} (it fits ${passing.length})`
    return [mismatch(path, expected, error.data)]
  }
  const ofKind = branches.filter(({ errors }) => !errors.some(isOfRoot))
  if (ofKind.length === 0) return [sayKinds(error, path, branches, document)]
  const tagged = ofKind.filter(({ errors }) => !errors.some(isTag))
  if (tagged.length === 0) return sayTag(error, path, ofKind) ?? say(fewest(ofKind))
  const [best] = tagged
  return best !== undefined && tagged.length === 1 ? say(best) : guessed(say(fewest(tagged)), branches)
}

const isOfRoot = ({ keyword, instancePath }: AjvError): boolean =>
  instancePath === "" && (keyword === "type" || keyword === "enum" || keyword === "const")

/** A member of the value itself that is one of a few: what usually tells branches apart. */
const isTag = ({ keyword, instancePath }: AjvError): boolean =>
  (keyword === "const" || keyword === "enum") && stepsOf(instancePath).length === 1

const fewest = (branches: ReadonlyArray<Branch>): Branch =>
  branches.reduce((best, branch) => (branch.errors.length < best.errors.length ? branch : best))

const guessed = (
  violations: ReadonlyArray<Violation>,
  branches: ReadonlyArray<Branch>,
): ReadonlyArray<Violation> =>
  violations.map((violation) =>
    violation.hint === undefined
      ? { ...violation, hint: `of the ${branches.length} forms it may have, this one is the nearest` }
      : violation,
  )

/** No branch is even of this kind. */
const sayKinds = (
  error: AjvError,
  path: Path,
  branches: ReadonlyArray<Branch>,
  document: unknown,
): Violation => {
  const members = branches.map(({ schema }) => membersOf(follow(schema, document)))
  const all = members.flatMap((some) => some ?? [])
  const expected = members.includes(undefined)
    ? either(branches.map(({ schema }) => sayWant(schema, document)))
    : `one of ${list(all)}`
  return mismatch(path, expected, error.data, memberAdvice(error.data, all))
}

/** No branch has this constant: name the constants, when all branches are told apart by the same key. */
const sayTag = (
  error: AjvError,
  path: Path,
  branches: ReadonlyArray<Branch>,
): ReadonlyArray<Violation> | undefined => {
  const tags = branches.map(({ errors }) => errors.find(isTag))
  const [first] = tags
  if (first === undefined || tags.some((tag) => tag?.instancePath !== first.instancePath)) return undefined
  const members = tags.flatMap((tag) => [tag?.params["allowedValues"] ?? tag?.params["allowedValue"]].flat())
  const [key = ""] = stepsOf(first.instancePath)
  const at = [...path, Array.isArray(error.data) ? Number(key) : key]
  return [mismatch(at, `one of ${list(members)}`, first.data, memberAdvice(first.data, members))]
}
