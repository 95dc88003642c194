/**
 * What every kind of spec becomes: one place in the arguments, in all the readings that have to agree.
 *
 * In:  nothing.      Out: `Place`, the `Kind` that makes one, and how a wrong spec is refused.
 * Not here: the kinds (`compile*.ts`), the words of a violation (`Words.ts`).
 */
import type { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { hide, type Path } from "./Words.ts"

/** What an `enum` or a `const` may list. */
export type Scalar = string | number | boolean | null

/** Where a walk tells what it finds. */
export interface Report {
  readonly add: (violation: Violation) => void
  /** The value is sensitive: nothing of it may be told, its undeclared keys included. */
  readonly hidden: boolean
  /** Unknown keys of open objects are told too, though nothing is wrong with them. */
  readonly noting: boolean
  /** Unions around this place whose branch is only guessed; a guess in a guess in a guess says nothing any more. */
  readonly guesses: number
}

export interface Place {
  /** Decides, without a trace: calls nothing but others of its kind, makes nothing. */
  readonly is: (value: unknown) => boolean
  /** Decides the same as source; where it is missing, the source calls `is`. */
  readonly code?: Code
  /** Explains: reports in declaration order, and nothing exactly when `is` holds. */
  readonly walk: (value: unknown, path: Path, report: Report) => void
  /** The reference that the others are held against; made when it is asked for. */
  readonly codec: () => Schema.Codec<unknown, unknown>
  /** Tells the model. */
  readonly jsonSchema: Schema.JsonObject
  /** Names what is wanted, in the words that follow "want". */
  readonly expected: string
  /** Put in the defaults that are to be applied; gives the value itself where there are none. */
  readonly fill?: Fill
  /** Put something else where the spec says `sensitive`, also in values that break the spec. */
  readonly mask?: Mask
  /** The scalars that are all there is. */
  readonly values?: ReadonlyArray<Scalar>
  /** Of an object: the required keys that hold one of a few scalars. */
  readonly tags?: () => ReadonlyMap<string, ReadonlyArray<Scalar>>
}

/** Write a check of the variable `value` as an expression of JavaScript. */
export type Code = (value: string, draft: Draft) => string

/** Source in the making (`spec/hasten.ts`). */
export interface Draft {
  /** Give a name to what the source uses. */
  readonly use: (thing: unknown) => string
  /** Give a name to a function of `value` with this body. */
  readonly define: (body: ReadonlyArray<string>) => string
}

export type Fill = (value: unknown) => unknown
export type Mask = (value: unknown, replace: (secret: unknown) => unknown) => unknown

/** The keywords of one spec, not yet believed. */
export type Keywords = Readonly<Record<string, unknown>>

/** Make the place of a nested spec; `at` names it for the author. */
export type Compile = (spec: unknown, at: string) => Place

/** How a kind makes the places of the specs that it holds. */
export interface Scope {
  /** Of a part of its value: an item, a member. */
  readonly inside: Compile
  /** Of its own value once more: a branch. */
  readonly beside: Compile
  /** Of its own value, by the spec that has this name, wherever it is. */
  readonly named: (name: string, at: string) => Place
  /** Run when all names are known. */
  readonly later: (check: () => void) => void
}

/** One kind of spec. A new kind is a new file and a row in `Compiler.ts`. */
export interface Kind {
  /** What it understands beside what all kinds do; anything else is refused. */
  readonly keywords: ReadonlyArray<string>
  readonly compile: (spec: Keywords, at: string, scope: Scope) => Place
}

/** Write the check of a place, whether it has source or not. */
export const write = ({ code, is }: Pick<Place, "code" | "is">, value: string, draft: Draft): string =>
  code === undefined ? `${draft.use(is)}(${value})` : code(value, draft)

/** Stop the definition of a tool whose spec is wrong. */
export const refuse = (at: string, why: string): never => {
  throw new TypeError(`SchemaSpec, at ${at === "" ? "the root" : at}: ${why}`)
}

/** Collect all that a walk finds. */
export const collect = (
  place: Place,
  value: unknown,
  path: Path,
  how: Partial<Report> = {},
): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  const add = (violation: Violation) => {
    found.push(violation)
  }
  place.walk(value, path, { hidden: false, noting: false, guesses: 0, ...how, add })
  return found
}

/** From here on, nothing of the value is told. */
export const hiding = (report: Report): Report =>
  report.hidden ? report : { ...report, hidden: true, add: (violation) => report.add(hide(violation)) }

/** Of a value that should have been a container: hidden when the container holds something sensitive. */
export const guarding = (mask: Mask | undefined, report: Report): Report =>
  mask === undefined ? report : hiding(report)
