/**
 * Break a value that fits at one place, so that it is known which violation it must give.
 *
 * In:  a spec and a value that fits.      Out: every near miss of that value that this room knows how to make.
 * Not here: places inside `oneOf`, `anyOf` and `ref`, where it depends on the branch what is said.
 */
import { Predicate } from "effect"
import type { ArraySpec, ObjectSpec, ValueSpec } from "../spec/SchemaSpec.ts"

type Path = ReadonlyArray<string | number>

export interface NearMiss {
  readonly value: unknown
  /** Where the violation must stand. */
  readonly path: Path
  readonly what: "missing" | "wrong kind" | "out of bounds" | "not allowed" | "unknown key"
}

export const breakOne = (of: ValueSpec, value: unknown, path: Path = []): ReadonlyArray<NearMiss> => {
  if ("oneOf" in of || "anyOf" in of || "ref" in of) return []
  return [...breakHere(of, value, path), ...breakInside(of, value, path)]
}

const miss = (what: NearMiss["what"], value: unknown, path: Path): NearMiss => ({ value, path, what })

const breakHere = (of: ValueSpec, value: unknown, path: Path): ReadonlyArray<NearMiss> => {
  if (("const" in of && of.const !== undefined) || ("enum" in of && of.enum !== undefined))
    return [miss("not allowed", "something that nobody lists", path)]
  if (!("type" in of) || of.type === undefined || of.type === "any" || value === null) return []
  return [
    miss("wrong kind", of.type === "boolean" || of.type === "null" ? 7 : true, path),
    ...outOfBounds(of, value, path),
  ]
}

const outOfBounds = (of: ValueSpec, value: unknown, path: Path): ReadonlyArray<NearMiss> => {
  if (!("type" in of)) return []
  const at = (beyond: unknown) => [miss("out of bounds", beyond, path)]
  switch (of.type) {
    case "string":
      if (of.pattern !== undefined) return []
      return [
        ...(of.minLength === undefined || of.minLength === 0 ? [] : at("a".repeat(of.minLength - 1))),
        ...(of.maxLength === undefined ? [] : at("a".repeat(of.maxLength + 1))),
      ]
    case "number":
    case "integer": {
      if (of.multipleOf !== undefined) return []
      const low = of.minimum ?? of.exclusiveMinimum
      const high = of.maximum ?? of.exclusiveMaximum
      return [
        ...(low === undefined ? [] : at(low - far(low))),
        ...(high === undefined ? [] : at(high + far(high))),
      ]
    }
    case "array":
      return Array.isArray(value) ? outOfSize(of, value).flatMap(at) : []
    default:
      return []
  }
}

/** So far that a double can tell it from the bound, however large that is. */
const far = (bound: number): number => Math.max(1, Math.abs(bound))

const outOfSize = (
  { maxItems, minItems = 0, uniqueItems }: ArraySpec,
  value: ReadonlyArray<unknown>,
): ReadonlyArray<ReadonlyArray<unknown>> => [
  ...(minItems === 0 ? [] : [value.slice(0, minItems - 1)]),
  ...(maxItems === undefined || uniqueItems === true || value.length === 0
    ? []
    : [Array.from({ length: maxItems + 1 }, (_, index) => value[index % value.length])]),
]

const breakInside = (of: ValueSpec, value: unknown, path: Path): ReadonlyArray<NearMiss> => {
  if (!("type" in of)) return []
  if (of.type === "object" && Predicate.isReadonlyObject(value)) return breakObject(of, value, path)
  if (of.type !== "array" || of.items === undefined || of.uniqueItems === true || !Array.isArray(value))
    return []
  const { items } = of
  return value.flatMap((item, index) =>
    breakOne(items, item, [...path, index]).map((broken) => ({
      ...broken,
      value: value.with(index, broken.value),
    })),
  )
}

const breakObject = (
  { additionalProperties, properties = {} }: ObjectSpec,
  value: Readonly<Record<string, unknown>>,
  path: Path,
): ReadonlyArray<NearMiss> => {
  const members = Object.entries(properties).flatMap(([key, of]) => {
    if (!Object.hasOwn(value, key)) return []
    const { [key]: member, ...rest } = value
    const here = [...path, key]
    return [
      ...(of.required === true ? [miss("missing", rest, here)] : []),
      ...breakOne(of, member, here).map((broken) => ({ ...broken, value: { ...rest, [key]: broken.value } })),
    ]
  })
  return additionalProperties === false
    ? [...members, miss("unknown key", { ...value, unheardOf: 1 }, [...path, "unheardOf"])]
    : members
}
