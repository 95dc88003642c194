/**
 * Say why a value is of no branch: held against the branch that it names, or the one it comes nearest to.
 *
 * In:  the branches.      Out: the walk of their `Place`.
 * Not here: whether a value is of a branch (`compileUnion.ts`).
 */
import type { Violation } from "../error/Violation.ts"
import { compileChoice } from "./compileChoice.ts"
import { collect, guarding, hiding, type Mask, type Place, type Report, type Scalar } from "./Place.ts"
import { isRecord, list, mismatch, missing, noObject, type Path } from "./Words.ts"

/** The key whose value alone tells the branch: required in each, with other scalars in each. */
export interface Tag {
  readonly key: string
  readonly branches: ReadonlyMap<unknown, Place>
  readonly values: ReadonlyArray<Scalar>
}

export interface Union {
  readonly keyword: "oneOf" | "anyOf"
  readonly branches: ReadonlyArray<Place>
  /** Made at the first use: a branch may be a name whose spec comes later. */
  readonly tag: () => Tag | undefined
  readonly expected: string
  readonly mask: Mask | undefined
}

/** How deep unions are guessed inside guessed unions; each level costs all branches of all levels above. */
const maxGuesses = 3

export const walkUnion =
  (union: Union): Place["walk"] =>
  (value, path, report) => {
    const tag = union.tag()
    if (tag !== undefined) walkTagged(union, tag, value, path, report)
    else walkUntagged(union, value, path, report)
  }

/** The branch that a value names itself. */
export const branchOf = ({ key, branches }: Tag, value: unknown): Place | undefined =>
  isRecord(value) && Object.hasOwn(value, key) ? branches.get(value[key]) : undefined

const walkTagged = (union: Union, tag: Tag, value: unknown, path: Path, report: Report): void => {
  const branch = branchOf(tag, value)
  if (branch !== undefined && isRecord(value)) {
    const why = isSecret(union, tag, value) ? undefined : `as ${tag.key} is ${list([value[tag.key]])}`
    branch.walk(
      value,
      path,
      why === undefined ? report : { ...report, add: (violation) => report.add(because(violation, why)) },
    )
    return
  }
  if (!isRecord(value)) {
    guarding(union.mask, report).add(noObject(value, path))
    return
  }
  const choice = compileChoice({ enum: tag.values }, "", undefined)
  const here = [...path, tag.key]
  const where = isSecret(union, tag, value) ? hiding(report) : report
  if (Object.hasOwn(value, tag.key)) choice.walk(value[tag.key], here, where)
  else report.add(missing(here, choice.expected))
}

/** Whether some branch calls the tag sensitive, or all of itself: which one was meant, a wrong tag does not tell. */
const isSecret = ({ branches }: Union, { key }: Tag, value: Readonly<Record<string, unknown>>): boolean =>
  branches.some(({ mask }) => {
    let hidden = false
    mask?.({ [key]: value[key] }, () => {
      hidden = true
    })
    return hidden
  })

const because = (violation: Violation, why: string): Violation => ({
  ...violation,
  message: `${violation.message} (${why})`,
})

const walkUntagged = (union: Union, value: unknown, path: Path, report: Report): void => {
  const { branches, keyword } = union
  const fitting = branches.filter(({ is }) => is(value))
  const [first] = fitting
  if (first !== undefined && (keyword === "anyOf" || fitting.length === 1)) {
    if (report.noting) first.walk(value, path, report)
    return
  }
  const own = guarding(union.mask, report)
  if (first !== undefined) {
    const which = fitting.map((branch) => nameOf(branches, branch)).join(" and ")
    own.add(mismatch(path, "a value of exactly one branch", value, undefined, `one of ${which}`))
    return
  }
  const guess = report.guesses < maxGuesses ? nearestBranch(union, value, path, report) : undefined
  if (guess === undefined || guess.isElsewhere) {
    const advice = guess?.violations[0]
    own.add({ ...mismatch(path, union.expected, value), ...pickAdvice(advice) })
    return
  }
  const why =
    branches.length === 1
      ? undefined
      : `as ${nameOf(branches, guess.branch)} of ${branches.length} comes nearest`
  for (const violation of guess.violations)
    report.add(why === undefined ? violation : because(violation, why))
}

const pickAdvice = (violation: Violation | undefined): Partial<Pick<Violation, "hint" | "fix">> => ({
  ...(violation?.hint === undefined ? {} : { hint: violation.hint }),
  ...(violation?.fix === undefined ? {} : { fix: violation.fix }),
})

const nameOf = (branches: ReadonlyArray<Place>, branch: Place): string => {
  const number = `branch ${branches.indexOf(branch) + 1}`
  const { title, $ref } = branch.jsonSchema
  const name =
    typeof title === "string" ? title : typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined
  return name === undefined ? number : `${number} (${name})`
}

interface Guess {
  readonly branch: Place
  readonly violations: ReadonlyArray<Violation>
  /** The value is of another kind altogether. */
  readonly isElsewhere: boolean
}

/** The branch of the value's own kind that fewest violations speak against; of another kind, one with advice. */
const nearestBranch = (
  { branches }: Union,
  value: unknown,
  path: Path,
  report: Report,
): Guess | undefined => {
  const guesses = branches.map((branch): Guess => {
    const how = { hidden: report.hidden, guesses: report.guesses + 1 }
    const violations = collect(branch, value, path, how)
    const isElsewhere = !isOfKind(violations, path)
    return { branch, violations, isElsewhere }
  })
  const rank = ({ isElsewhere, violations }: Guess): number =>
    isElsewhere ? 1e6 + (violations[0]?.hint === undefined ? 1 : 0) : violations.length
  return guesses.sort((left, right) => rank(left) - rank(right))[0]
}

/** What is wrong deeper down is wrong with a value of the right kind. */
const isOfKind = (violations: ReadonlyArray<Violation>, path: Path): boolean =>
  violations.every((violation) => violation.path.length > path.length)
