/**
 * Turn a spec into a place, or refuse it.
 *
 * In:  a spec as data, which may come from untyped code.      Out: a `Place`, made once per spec.
 * Fails with: a `TypeError` that names the property and what is wrong with it.
 * Not here: what each kind means (`compile*.ts`).
 */
import { Schema } from "effect"
import { quote } from "../text/Excerpt.ts"
import { annotate, annotations } from "./annotate.ts"
import { array, identify } from "./compileArray.ts"
import { choices, compileChoice, isChoice } from "./compileChoice.ts"
import { integer, number } from "./compileNumber.ts"
import { object } from "./compileObject.ts"
import { any, boolean, null_ } from "./compilePlain.ts"
import { string } from "./compileString.ts"
import { anyOf, oneOf } from "./compileUnion.ts"
import { type Keywords, type Kind, type Place, refuse, type Scope } from "./Place.ts"
import { readText } from "./read.ts"
import { isRecord } from "./Words.ts"

const kinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ["string", string],
  ["number", number],
  ["integer", integer],
  ["boolean", boolean],
  ["null", null_],
  ["array", array],
  ["object", object],
  ["any", any],
])

/** Specs that say what they are by another keyword than `type`. */
const untyped: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["oneOf", oneOf],
  ["anyOf", anyOf],
  [
    "ref",
    { keywords: ["ref"], compile: (spec, at, scope) => scope.named(readText(spec, "ref", at) ?? "", at) },
  ],
])

const scalars: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"])

/** Specs inside one another; more is a spec that holds itself. */
const maxDepth = 64

interface Named {
  readonly identity: string
  readonly place: Place
}

/** What the specs of one tool share. */
interface Whole {
  readonly named: Map<string, Named>
  readonly checks: Array<() => void>
  /** Whether defaults are applied, and values are sensitive, anywhere: then names may lead there. */
  readonly applies: boolean
  readonly hides: boolean
  /** By name: what was found of a value while the outermost question about a name is open. */
  answers: Map<string, Map<unknown, boolean>> | undefined
}

interface Here {
  readonly depth: number
  /** The named specs around, as far as no array and no object lies between. */
  readonly open: ReadonlyArray<string>
}

/** Make the place of the whole arguments: of properties by name, or of an object spec. */
export const compileRoot = (spec: unknown): Place => {
  const whole: Whole = {
    named: new Map(),
    checks: [],
    applies: says(spec, "applyDefault"),
    hides: says(spec, "sensitive"),
    answers: undefined,
  }
  const isObjectSpec = isRecord(spec) && spec["type"] === "object"
  const given: unknown = isObjectSpec ? spec : { type: "object", properties: spec }
  if (isObjectSpec && spec["nullable"] !== undefined) refuse("", "the arguments are never null")
  const root = compile(whole, { depth: 0, open: [] }, given, "")
  for (const check of whole.checks) check()
  if (whole.named.size === 0) return root
  const definitions = Object.fromEntries(
    [...whole.named].map(([name, { place }]) => [name, place.jsonSchema]),
  )
  const endless = findEndless(definitions)
  if (endless !== undefined) refuse(endless, "nothing fits: it requires itself, and no value ends")
  const name = isObjectSpec ? spec["name"] : undefined
  const shown = typeof name === "string" ? definitions[name] : undefined
  return { ...root, jsonSchema: { ...(shown ?? root.jsonSchema), $defs: definitions } }
}

const compile = (whole: Whole, here: Here, spec: unknown, at: string): Place => {
  if (!isRecord(spec)) return refuse(at, "want a spec, an object with a type")
  if (here.depth > maxDepth)
    return refuse(at, `nests deeper than ${maxDepth}; a spec that holds itself says so with name and ref`)
  const name = readText(spec, "name", at)
  const open = name === undefined ? here.open : [...here.open, name]
  const scope = makeScope(whole, { depth: here.depth + 1, open })
  const place = annotate(spec, at, compileKind(spec, at, scope), scope)
  return name === undefined ? place : define(whole, name, spec, at, place)
}

const compileKind = (spec: Keywords, at: string, scope: Scope): Place => {
  const { type } = spec
  const byKeyword = [...untyped].filter(([keyword]) => spec[keyword] !== undefined)
  const kind = type === undefined ? byKeyword[0]?.[1] : kinds.get(type)
  if (kind === undefined && type !== undefined)
    return refuse(at, `unknown type ${JSON.stringify(type)}, known are ${[...kinds.keys()].join(", ")}`)
  const choosing = kind === undefined || scalars.has(type)
  for (const keyword of Object.keys(spec)) {
    const isCommon = keyword === "type" || keyword === "name" || annotations.includes(keyword)
    const isOwn = kind?.keywords.includes(keyword) === true || (choosing && choices.includes(keyword))
    if (!isCommon && !isOwn) refuse(at, `unknown keyword ${JSON.stringify(keyword)}`)
  }
  const base = kind?.compile(spec, at, scope)
  if (choosing && isChoice(spec)) return compileChoice(spec, at, base)
  return base ?? refuse(at, "has no type, enum, const, oneOf, anyOf or ref")
}

const makeScope = (whole: Whole, { depth, open }: Here): Scope => ({
  inside: (spec, at) => compile(whole, { depth, open: [] }, spec, at),
  beside: (spec, at) => compile(whole, { depth, open }, spec, at),
  later: (check) => {
    whole.checks.push(check)
  },
  named: (name, at) =>
    open.includes(name)
      ? refuse(at, `${quote(name)} is made of itself: an array or an object must lie between`)
      : compileRef(whole, name, at),
})

/** A spec may stand in several places under its name, but not two specs under one. */
const define = (whole: Whole, name: string, spec: Keywords, at: string, place: Place): Place => {
  if (!/^[A-Za-z_][\w.-]{0,63}$/.test(name)) return refuse(at, `${quote(name)} cannot be the name of a spec`)
  const identity = identify(spec)
  const known = whole.named.get(name)
  if (known !== undefined && known.identity !== identity)
    return refuse(at, `another spec has the name ${quote(name)}`)
  if (known === undefined) whole.named.set(name, { identity, place })
  return { ...place, jsonSchema: { $ref: `#/$defs/${name}` } }
}

/** The spec that has a name, wherever it is; what it is, is asked when all are made. */
const compileRef = (whole: Whole, name: string, at: string): Place => {
  const unknown = () => refuse(at, `no spec here has the name ${quote(name)}`)
  const target = () => whole.named.get(name)?.place ?? unknown()
  whole.checks.push(target)
  return {
    is: remember(whole, name, (value) => target().is(value)),
    walk: (value, path, report) => target().walk(value, path, report),
    codec: () => Schema.suspend(() => target().codec()),
    jsonSchema: { $ref: `#/$defs/${name}` },
    expected: name,
    tags: () => target().tags?.() ?? new Map(),
    ...(whole.applies ? { fill: (value) => target().fill?.(value) ?? value } : {}),
    ...(whole.hides ? { mask: (value, replace) => target().mask?.(value, replace) ?? value } : {}),
  }
}

/**
 * Ask once about each value while the outermost question is open. Branches that hold the same name would otherwise
 * double the work at each level, and a model could send a value that takes a lifetime.
 */
const remember =
  (whole: Whole, name: string, is: Place["is"]): Place["is"] =>
  (value) => {
    if (typeof value !== "object" || value === null) return is(value)
    const isOutermost = whole.answers === undefined
    whole.answers ??= new Map()
    const answers = whole.answers.get(name) ?? new Map<unknown, boolean>()
    whole.answers.set(name, answers)
    try {
      const answer = answers.get(value) ?? is(value)
      answers.set(value, answer)
      return answer
    } finally {
      if (isOutermost) whole.answers = undefined
    }
  }

/** Whether some spec in the whole says `keyword: true`. */
const says = (spec: unknown, keyword: string, depth = 0): boolean => {
  if (depth > 2 * maxDepth || typeof spec !== "object" || spec === null) return false
  return Object.entries(spec).some(
    ([key, part]: readonly [string, unknown]) =>
      (key === keyword && part === true) || says(part, keyword, depth + 1),
  )
}

/** The first named spec that no finite value fits, if there is one: it requires itself, all the way down. */
const findEndless = (definitions: Readonly<Record<string, Schema.JsonObject>>): string | undefined => {
  const ending = new Set<string>()
  // A name ends when it does by the names that are known to end; each round adds one at least, or is the last.
  for (let known = -1; known < ending.size; ) {
    known = ending.size
    for (const [name, schema] of Object.entries(definitions)) if (ends(schema, ending)) ending.add(name)
  }
  return Object.keys(definitions).find((name) => !ending.has(name))
}

/** Whether a node has a value that is made without the names that may not end. */
const ends = (node: unknown, ending: ReadonlySet<string>): boolean => {
  if (!isRecord(node)) return true
  const { $ref, type } = node
  if (typeof $ref === "string" && !ending.has($ref.slice("#/$defs/".length))) return false
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches) && !branches.some((branch) => ends(branch, ending))) return false
  if (type === "array") return Number(node["minItems"] ?? 0) === 0 || ends(node["items"], ending)
  if (type !== "object" || !isRecord(node["properties"]) || !Array.isArray(node["required"])) return true
  const { properties, required } = node
  return required.every((name) => ends(properties[String(name)], ending))
}
