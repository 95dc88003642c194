/**
 * The kinds `oneOf` and `anyOf`: a value of exactly one, or of at least one, of several specs.
 *
 * In:  the keywords of one spec, and how to compile its branches.      Out: its `Place`.
 * Fails with: a `TypeError` when there are no branches, or two that are the same.
 * Not here: what is said about a value of no branch (`walkUnion.ts`).
 */
import { Schema } from "effect"
import { identify } from "./compileArray.ts"
import {
  type Code,
  type Fill,
  type Kind,
  type Mask,
  type Place,
  refuse,
  type Scalar,
  write,
} from "./Place.ts"
import { branchOf, type Tag, type Union, walkUnion } from "./walkUnion.ts"

const kind = (keyword: Union["keyword"]): Kind => ({
  keywords: [keyword],
  compile: (spec, at, scope) => {
    const given = spec[keyword]
    if (!Array.isArray(given) || given.length === 0) return refuse(at, `${keyword} is no list of specs`)
    const branches = given.map((branch: unknown, index) =>
      scope.beside(branch, `${at}(${keyword} ${index + 1})`),
    )
    refuseDoubles(branches, keyword, at)
    const masks = branches.flatMap(({ mask }) => mask ?? [])
    const mask: Mask | undefined =
      masks.length === 0
        ? undefined
        : (value, replace) => masks.reduce((masked, each) => each(masked, replace), value)
    const expected = [...new Set(branches.map((branch) => branch.expected))].join(" or ")
    const union: Union = { keyword, branches, tag: once(() => findTag(branches)), expected, mask }
    const is = isOf(union)
    const fills = branches.some(({ fill }) => fill !== undefined)
    return {
      is,
      code: codeOf(union, is),
      walk: walkUnion(union),
      codec: () =>
        Schema.Union(
          branches.map((branch) => branch.codec()),
          { mode: keyword },
        ),
      jsonSchema: { [keyword]: branches.map(({ jsonSchema }) => jsonSchema) },
      expected,
      ...(fills ? { fill: fillOf(branches) } : {}),
      ...(mask === undefined ? {} : { mask }),
      ...(branches.every(({ values }) => values !== undefined)
        ? { values: branches.flatMap(({ values }) => values ?? []) }
        : {}),
    }
  },
})

export const oneOf = kind("oneOf")
export const anyOf = kind("anyOf")

const refuseDoubles = (branches: ReadonlyArray<Place>, keyword: string, at: string): void => {
  const seen = new Map<string, number>()
  for (const [index, { jsonSchema }] of branches.entries()) {
    const identity = identify(jsonSchema)
    const first = seen.get(identity)
    if (first !== undefined) refuse(at, `branches ${first + 1} and ${index + 1} of ${keyword} are the same`)
    seen.set(identity, index)
  }
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const findTag = (branches: ReadonlyArray<Place>): Tag | undefined => {
  const [first, ...others] = branches.map(({ tags }) => tags?.())
  if (first === undefined || others.length === 0) return undefined
  for (const key of first.keys()) {
    const found = new Map<unknown, Place>()
    const values: Array<Scalar> = []
    for (const branch of branches) {
      for (const value of branch.tags?.().get(key) ?? []) {
        found.set(value, branch)
        values.push(value)
      }
    }
    const inAll = branches.every((branch) => branch.tags?.().has(key) === true)
    if (inAll && found.size === values.length) return { key, branches: found, values }
  }
  return undefined
}

const isOf = ({ keyword, branches, tag }: Union): Place["is"] => {
  const exactly = keyword === "oneOf"
  return (value) => {
    const known = tag()
    if (known !== undefined) return branchOf(known, value)?.is(value) === true
    let fits = 0
    for (const branch of branches) {
      if (!branch.is(value)) continue
      fits++
      if (!exactly || fits > 1) break
    }
    return fits === 1
  }
}

/** A union with a tag is a choice by it. A tag that objects inherit, and a value that inherits one, are left to `is`. */
const codeOf =
  ({ tag }: Union, is: Place["is"]): Code =>
  (value, draft) => {
    const known = tag()
    const otherwise = `${draft.use(is)}(${value})`
    if (known === undefined || known.key in Object.prototype) return otherwise
    const choose = draft.define([
      'if (typeof value !== "object" || value === null) return false',
      `switch (value[${JSON.stringify(known.key)}]) {`,
      ...Array.from(
        known.branches,
        ([member, branch]) => `case ${JSON.stringify(member)}: return ${write(branch, "value", draft)}`,
      ),
      "}",
      "return false",
    ])
    return `${choose}(${value})`
  }

const fillOf =
  (branches: ReadonlyArray<Place>): Fill =>
  (value) => {
    const branch = branches.find(({ is }) => is(value))
    return branch?.fill === undefined ? value : branch.fill(value)
  }
