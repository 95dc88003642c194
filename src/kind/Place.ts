/**
 * What every kind of spec becomes: one place in the arguments, in all the readings that have to agree.
 *
 * In:  nothing.      Out: `Place`, the `Kind` that makes one, the place of any JSON, and how a wrong spec is refused.
 * Not here: the kinds (`compile*.ts`), the words of a violation (`word.ts`).
 */
import { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { mismatch, type Path } from "./Words.ts"

export type Report = (violation: Violation) => void

export interface Place {
  /** Decides. */
  readonly schema: Schema.Codec<unknown, unknown>
  /** Tells the model. */
  readonly jsonSchema: Schema.JsonObject
  /** Names what is wanted, in the words that follow "want". */
  readonly expected: string
  /** Explains: reports in declaration order, and nothing exactly when `schema` accepts. */
  readonly walk: (value: unknown, path: Path, report: Report) => void
}

/** The keywords of one spec, not yet believed. */
export type Keywords = Readonly<Record<string, unknown>>

/** Make the place of a nested spec; `at` names it for the author. */
export type Compile = (spec: unknown, at: string) => Place

/** One kind of spec. A new kind is a new file and a row in `compile.ts`. */
export interface Kind {
  /** What it understands beside `type` and `description`; anything else is refused. */
  readonly keywords: ReadonlyArray<string>
  readonly compile: (spec: Keywords, at: string, compile: Compile) => Place
}

/** Stop the definition of a tool whose spec is wrong. */
export const refuse = (at: string, why: string): never => {
  throw new TypeError(`SchemaSpec, at ${at === "" ? "the root" : at}: ${why}`)
}

const isJson = Schema.is(Schema.Json)

/** A place of which the spec says nothing. */
export const anyJson: Place = {
  schema: Schema.Json,
  jsonSchema: {},
  expected: "any JSON",
  walk: (value, path, report) => {
    if (!isJson(value)) report(mismatch(path, "any JSON", value))
  },
}
