/**
 * Say what is wrong with an object: which keys are missing, which members are wrong, which keys it does not know.
 *
 * In:  the shape of the object.      Out: the walk of its `Place`.
 * Not here: whether it is wrong (`compileObject.ts`).
 */
import { nearest } from "../text/Nearest.ts"
import { maxPartViolations } from "./compileArray.ts"
import { guarding, type Keywords, type Mask, type Place, type Report } from "./Place.ts"
import {
  type Advice,
  didYouMean,
  isRecord,
  leaveOut,
  mismatch,
  missing,
  moveUp,
  noObject,
  type Path,
  unknownKey,
} from "./Words.ts"

export interface Property {
  readonly name: string
  readonly place: Place
  readonly required: boolean
  /** The default that is put in when the key is absent, made anew each time. */
  readonly makeDefault: (() => unknown) | undefined
}

/** What an object is, once read. */
export interface Shape {
  readonly properties: ReadonlyArray<Property>
  readonly names: ReadonlySet<string>
  /** What other keys may hold: a spec, nothing, or (when `undefined`) anything, without a look. */
  readonly rest: Place | "closed" | undefined
  /** Whether the author said that other keys are welcome. */
  readonly invites: boolean
  readonly mask: Mask | undefined
}

/** How many unknown keys of one object are named: a model may send any number. */
const maxUnknownKeys = 16

/** The first undeclared keys of an object, and how many there are. */
interface Strangers {
  readonly keys: Set<string>
  readonly total: number
  /** The known keys that some stranger was taken for: no two are renamed to one. */
  readonly taken: Set<string>
}

export const walkObject =
  (shape: Shape): Place["walk"] =>
  (value, path, report) => {
    if (!isRecord(value)) {
      guarding(shape.mask, report).add(noObject(value, path))
      return
    }
    const strangers = strangersOf(value, shape)
    let broken = false
    const within: Report = {
      ...report,
      add: (violation) => {
        broken = true
        report.add(violation)
      },
    }
    for (const property of shape.properties) walkProperty(property, value, path, strangers, within)
    if (typeof shape.rest === "object") {
      walkRest(value, shape, shape.rest, path, within)
    } else if (broken || shape.rest === "closed" || report.noting) {
      tellStrangers(value, shape, path, strangers, report)
    }
  }

const walkProperty = (
  { name, place, required }: Property,
  value: Keywords,
  path: Path,
  strangers: Strangers,
  report: Report,
): void => {
  if (!Object.hasOwn(value, name)) {
    if (!required) return
    const [instead] = report.hidden ? [] : nearest(name, strangers.keys)
    if (instead !== undefined) {
      strangers.keys.delete(instead)
      strangers.taken.add(name)
    }
    report.add(missing([...path, name], place.expected, instead))
    return
  }
  const member = value[name]
  if (!report.noting && place.is(member)) return
  const add: Report["add"] =
    member === null && !required ? (violation) => report.add({ ...violation, ...leaveOut(name) }) : report.add
  place.walk(member, [...path, name], { ...report, add })
}

const strangersOf = (value: Keywords, { names, rest }: Shape): Strangers => {
  const keys = new Set<string>()
  const taken = new Set<string>()
  let total = 0
  if (typeof rest === "object") return { keys, total, taken }
  for (const key in value) {
    if (names.has(key) || !Object.hasOwn(value, key)) continue
    total++
    if (keys.size < maxUnknownKeys) keys.add(key)
  }
  return { keys, total, taken }
}

const walkRest = (value: Keywords, { names }: Shape, rest: Place, path: Path, report: Report): void => {
  let reported = 0
  const add: Report["add"] = (violation) => {
    reported++
    report.add(violation)
  }
  for (const key in value) {
    if (reported >= maxPartViolations) return
    if (names.has(key) || !Object.hasOwn(value, key)) continue
    if (!report.noting && rest.is(value[key])) continue
    if (!report.hidden) rest.walk(value[key], [...path, key], { ...report, add })
    else if (!rest.is(value[key])) {
      // The key is a part of what is hidden.
      report.add(mismatch(path, `object whose other keys hold ${rest.expected}`, value))
      return
    }
  }
}

const tellStrangers = (
  value: Keywords,
  { properties, names, rest, invites }: Shape,
  path: Path,
  { keys, total, taken }: Strangers,
  report: Report,
): void => {
  if (total === 0 || (invites && rest !== "closed")) return
  const known = [...names]
  if (report.hidden) {
    if (rest === "closed")
      report.add(mismatch(path, `object without other keys than ${known.join(", ")}`, value))
    return
  }
  const closed = rest === "closed"
  for (const key of keys) {
    const free = known.filter((name) => !Object.hasOwn(value, name) && !taken.has(name))
    const advice = adviseStranger(key, value[key], free, closed)
    if (advice?.fix?.kind === "rename") taken.add(advice.fix.to)
    report.add(unknownKey([...path, key], known, advice))
  }
  const unnamed = total - maxUnknownKeys
  if (unnamed > 0 && (closed || properties.length > 0))
    report.add(mismatch(path, "only the keys there are", value, undefined, `${unnamed} more unknown keys`))
}

/** What an unknown key was meant to be; `free` are the known keys that were not sent. */
const adviseStranger = (
  key: string,
  value: unknown,
  free: ReadonlyArray<string>,
  closed: boolean,
): Advice | undefined => {
  if (isRecord(value) && free.some((name) => Object.hasOwn(value, name)))
    return moveUp(key, "write what is inside it one level up, without this key")
  const near = nearest(key, free)
  const [first] = near
  const hint = didYouMean(near)
  if (hint !== undefined && first !== undefined)
    return { hint, fix: { kind: "rename", from: key, to: first } }
  return closed ? leaveOut(key) : undefined
}
