/**
 * Turn a spec into a place, or refuse it.
 *
 * In:  a spec as data, which may come from untyped code.      Out: a `Place`, made once per spec.
 * Fails with: a `TypeError` that names the property and what is wrong with it.
 * Not here: what each kind means (`compile*.ts`).
 */
import { array } from "./compileArray.ts"
import { boolean, choice, integer, null_, number, string } from "./compileChoice.ts"
import { object } from "./compileObject.ts"
import { type Compile, type Kind, type Place, refuse } from "./Place.ts"
import { isRecord } from "./Words.ts"

const kinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ["string", string],
  ["number", number],
  ["integer", integer],
  ["boolean", boolean],
  ["null", null_],
  ["array", array],
  ["object", object],
  [undefined, choice],
])

const compile: Compile = (spec, at) => {
  if (!isRecord(spec)) return refuse(at, "want a spec, an object with a type")
  const kind = kinds.get(spec["type"])
  if (kind === undefined) {
    const known = [...kinds.keys()].filter((name) => name !== undefined).join(", ")
    return refuse(at, `unknown type ${JSON.stringify(spec["type"])}, known are ${known}`)
  }
  for (const keyword of Object.keys(spec)) {
    if (keyword === "type" || keyword === "description" || kind.keywords.includes(keyword)) continue
    refuse(at, `unknown keyword ${JSON.stringify(keyword)}`)
  }
  const description = spec["description"]
  if (description !== undefined && typeof description !== "string") refuse(at, "description is no string")
  const place = kind.compile(spec, at, compile)
  if (typeof description !== "string") return place
  return { ...place, jsonSchema: { ...place.jsonSchema, description } }
}

/** Make the place of the whole arguments. */
export const compileRoot = (spec: unknown): Place => compile({ type: "object", properties: spec }, "")
