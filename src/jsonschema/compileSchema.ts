/**
 * Turn a JSON Schema into check functions, or say where it is wrong.
 *
 * In:  a schema.      Out: `Compiled`: its first check made, the others when needed.
 * Fails with: a `TypeError` that names the place in the schema and the keyword.
 * Not here: what its complaints mean (`reduceErrors.ts`).
 */
import { list, type Path, place } from "../kind/Words.ts"
import { cut, quote } from "../text/Excerpt.ts"
import { type Ajv, type AjvError, type Check, type Edition, judge, makeAjv } from "./loadAjv.ts"
import { find, pointersOf, toPath, valueAt } from "./pointer.ts"

export interface Compiled {
  readonly edition: Edition
  readonly document: Readonly<Record<string, unknown>>
  /** All complaints. */
  readonly all: Complain
  /** The first complaint. */
  readonly first: Complain
  /** All complaints of a part of the document; undefined when the part cannot be had alone. */
  readonly part: (holder: unknown, steps: string) => Complain | undefined
}

const known: ReadonlyMap<string, Edition> = new Map([
  ["json-schema.org/draft-06/schema", "draft-07"],
  ["json-schema.org/draft-07/schema", "draft-07"],
  ["json-schema.org/schema", "2020-12"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
])

/** Without `$schema` it is the newest, or what the newest does not read: an array of `items` is older. */
const unnamed: ReadonlyArray<Edition> = ["2020-12", "draft-07"]

const editionsOf = (named: unknown): ReadonlyArray<Edition> => {
  if (named === undefined) return unnamed
  const edition = known.get(
    String(named)
      .replace(/^https?:\/\//, "")
      .replace(/#?$/, ""),
  )
  if (edition !== undefined) return [edition]
  throw wrong(
    ["$schema"],
    `${JSON.stringify(named)} is not read here; draft-04, draft-06, draft-07, 2019-09 and 2020-12 are`,
  )
}

export type Complain = (value: unknown) => ReadonlyArray<AjvError>

const root = "tool"

/** Compile now, so that what is wrong is known now. */
export const compile = (given: Readonly<Record<string, unknown>>): Compiled => {
  const { $schema: named, ...document } = given
  const editions = editionsOf(named)
  const edition = editions.find((name) => judge(name, document).length === 0)
  if (edition === undefined) throw refusal(judge(editions[0] ?? "2020-12", document), document)
  if (Object.hasOwn(document, "$async")) throw wrong(["$async"], "a check that waits is not made here")
  const ajv = makeAjv(edition, true)
  const all = attempt(document, () => {
    const complain = toComplain(add(ajv, document))
    complain({})
    return complain
  })
  let first: Complain | undefined
  let pointers: ReadonlyMap<unknown, string> | undefined
  return {
    edition,
    document,
    all,
    first: (value) => {
      first ??= toComplain(add(makeAjv(edition, false), document))
      return first(value)
    },
    part: (holder, steps) => {
      pointers ??= pointersOf(document)
      const pointer = pointers.get(holder)
      return pointer === undefined ? undefined : partOf(ajv, pointer + steps)
    },
  }
}

const add = (ajv: Ajv, document: object): Check => {
  ajv.addSchema(document, root)
  const check = ajv.getSchema(root)
  if (check === undefined) throw new TypeError("the schema was not kept")
  return check
}

/** Ajv keeps what it made. A part behind an `$id` of its own has another base: the whole has been made without it. */
const partOf = (ajv: Ajv, pointer: string): Complain | undefined => {
  try {
    const check = ajv.getSchema(`${root}#${pointer.split("/").map(encodeURIComponent).join("/")}`)
    return check && toComplain(check)
  } catch {
    return undefined
  }
}

const toComplain =
  (check: Check): Complain =>
  (value) =>
    check(value) === true ? [] : (check.errors ?? [])

const attempt = (document: Compiled["document"], run: () => Complain): Complain => {
  try {
    return run()
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    if (cause instanceof RangeError) throw wrong([], "its references go round in a circle")
    if ("missingRef" in cause && typeof cause.missingRef === "string") {
      const reference = cause.missingRef.replace(/^tool(?=#)/, "")
      const at = find(document, "$ref", (value) => reference.endsWith(String(value)))
      throw wrong(at, `${quote(reference)} is not in this schema, and nothing is fetched`)
    }
    if (cause instanceof SyntaxError) {
      const at = find(document, "pattern", (value) => cause.message.includes(String(value)))
      throw wrong(at, `no regular expression: ${cause.message}`)
    }
    throw wrong([], cause.message)
  }
}

/** What the meta-schema says of a schema that is none: a wrong word for a type before all else, then the first. */
const refusal = (errors: ReadonlyArray<AjvError>, document: Compiled["document"]): TypeError => {
  const isType = ({ keyword, instancePath }: AjvError) => keyword === "enum" && instancePath.endsWith("/type")
  const error = errors.find(isType) ?? errors[0]
  if (error === undefined) return wrong([], "no JSON Schema")
  const path = toPath(error.instancePath, document)
  const got = cut(JSON.stringify(valueAt(document, path)) ?? "nothing")
  return wrong(path, `want ${wantOf(error)}, got ${got}`)
}

const wantOf = ({ keyword, params }: AjvError): string => {
  if (Array.isArray(params["allowedValues"])) return `one of ${list(params["allowedValues"])}`
  return keyword === "type" ? [params["type"]].flat().join(" or ") : `what ${keyword} of the meta-schema asks`
}

const wrong = (at: Path, why: string): TypeError =>
  new TypeError(`JSON Schema, at ${at.length === 0 ? "the root" : place(at)}: ${why}`)
