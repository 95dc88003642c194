/**
 * Turn the flat list of Ajv's complaints into violations: what belongs to a union becomes one answer.
 *
 * In:  complaints in Ajv's order, the value, the compiled schema.      Out: violations.
 * Fails with: nothing.
 * Not here: which branch of a union was meant (`sayUnion.ts`).
 *
 * Ajv writes the complaints of all branches before the complaint of the union, and nothing else in between. How many
 * they are is found by checking each branch alone; so the list is read from its end.
 */
import type { Violation } from "../error/Violation.ts"
import { isRecord, type Path } from "../kind/Words.ts"
import type { Compiled } from "./compileSchema.ts"
import type { AjvError } from "./loadAjv.ts"
import { toPath } from "./pointer.ts"
import { type Branch, sayUnion } from "./sayUnion.ts"
import { toViolation } from "./toViolation.ts"

/** Read the complaints; `base` is the path of the value that they are about. */
export const reduce = (
  errors: ReadonlyArray<AjvError>,
  value: unknown,
  compiled: Compiled,
  base: Path = [],
): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  let end = errors.length
  while (end > 0) {
    const error = errors[--end]
    if (error === undefined || isSaidElsewhere(error)) continue
    const path = [...base, ...toPath(error.instancePath, value)]
    if (error.keyword === "contains") end -= countOfItems(error, compiled)
    const branches = branchesOf(error, compiled)
    if (branches === undefined) {
      found.push(toViolation(error, path, compiled.document))
      continue
    }
    end -= branches.reduce((sum, branch) => sum + branch.errors.length, 0)
    const say = (branch: Branch) => reduce(branch.errors, error.data, compiled, path)
    found.push(...[...sayUnion(error, path, branches, compiled.document, say)].reverse())
  }
  return found.reverse()
}

/** `if` follows what `then` or `else` complained of; complaints about a key are summed up by `propertyNames`. */
const isSaidElsewhere = ({ keyword, propertyName }: AjvError): boolean =>
  keyword === "if" || (propertyName !== undefined && keyword !== "propertyNames")

const branchesOf = (
  { keyword, parentSchema, data }: AjvError,
  compiled: Compiled,
): ReadonlyArray<Branch> | undefined => {
  if ((keyword !== "anyOf" && keyword !== "oneOf") || !isRecord(parentSchema)) return undefined
  const schemas = parentSchema[keyword]
  if (!Array.isArray(schemas)) return undefined
  const list: ReadonlyArray<unknown> = schemas
  return list.map((schema, index) => ({
    schema,
    errors: compiled.part(parentSchema, `/${keyword}/${index}`)?.(data) ?? [],
  }))
}

const countOfItems = ({ parentSchema, data }: AjvError, compiled: Compiled): number => {
  const complain = compiled.part(parentSchema, "/contains")
  if (complain === undefined || !Array.isArray(data)) return 0
  const items: ReadonlyArray<unknown> = data
  return items.reduce<number>((sum, item) => sum + complain(item).length, 0)
}
