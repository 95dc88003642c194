/**
 * Arguments of three sizes: their spec, a text and a value that fit, a value with three violations.
 *
 * Shape: the specs use what every neighbour can say: text, numbers, booleans, enums, lists, objects, and unions whose
 *        branches a constant tells apart.
 */
import type { SchemaSpec, ValueSpec } from "../../../src/spec/SchemaSpec.ts"

export interface Case {
  readonly spec: SchemaSpec
  readonly value: unknown
  readonly text: string
  /** Breaks the spec in exactly three places. */
  readonly invalid: unknown
}

const make = (spec: SchemaSpec, value: object, wrong: object): Case => ({
  spec,
  value,
  text: JSON.stringify(value),
  invalid: JSON.parse(JSON.stringify({ ...value, ...wrong })),
})

/** The spec that all contenders of a single call use; typed, for the hand-written floor. */
export const smallSpec = {
  path: { type: "string", required: true },
  line: { type: "integer", required: true },
  column: { type: "integer" },
} as const

export const tenSpec = {
  path: { type: "string", required: true, minLength: 1 },
  query: { type: "string", required: true },
  limit: { type: "integer", required: true, minimum: 1, maximum: 100 },
  ratio: { type: "number", required: true },
  recursive: { type: "boolean", required: true },
  mode: { type: "string", required: true, enum: ["fast", "exact", "fuzzy"] },
  tags: { type: "array", required: true, items: { type: "string" } },
  range: {
    type: "object",
    required: true,
    properties: {
      from: { type: "integer", required: true },
      to: { type: "integer", required: true },
    },
  },
  author: { type: "string" },
  note: { type: "string" },
} as const

const tenValue = {
  path: "src/session/SessionLog.ts",
  query: "the one place that numbers events",
  limit: 20,
  ratio: 0.75,
  recursive: true,
  mode: "exact",
  tags: ["session", "log", "append"],
  range: { from: 12, to: 480 },
  author: "ada",
  note: "look at what is accepted first, then at what is written",
}

const shape: ValueSpec = {
  oneOf: [
    {
      type: "object",
      properties: {
        kind: { const: "circle", required: true },
        radius: { type: "number", required: true },
      },
    },
    {
      type: "object",
      properties: {
        kind: { const: "label", required: true },
        text: { type: "string", required: true },
        size: { type: "integer", required: true },
      },
    },
  ],
}

/** Twelve groups of five: text, a whole number, a boolean, an enum and a union. */
const sixty = (): Case => {
  const groups = Array.from({ length: 12 }, (_, group) => group)
  const spec = Object.fromEntries(
    groups.flatMap((group) => [
      [`name${group}`, { type: "string", required: true }],
      [`count${group}`, { type: "integer", required: true, minimum: 0 }],
      [`enabled${group}`, { type: "boolean", required: true }],
      [`level${group}`, { type: "string", required: true, enum: ["low", "middle", "high"] }],
      [`shape${group}`, { ...shape, required: true }],
    ]),
  )
  const value = Object.fromEntries(
    groups.flatMap((group) => [
      [`name${group}`, `group ${group}`],
      [`count${group}`, group * 7],
      [`enabled${group}`, group % 2 === 0],
      [`level${group}`, ["low", "middle", "high"][group % 3]],
      [
        `shape${group}`,
        group % 2 === 0 ? { kind: "circle", radius: 1.5 } : { kind: "label", text: "hello", size: 12 },
      ],
    ]),
  )
  return make(spec, value, { name0: 1, count4: -3, enabled9: "yes" })
}

export const args = {
  small: make(smallSpec, { path: "src/index.ts", line: 12 }, { path: undefined, line: "12", column: 1.5 }),
  ten: make(tenSpec, tenValue, { path: undefined, limit: "20", mode: "exakt" }),
  sixty: sixty(),
} as const

export type Size = keyof typeof args

/** A spec of ten fields that nobody has seen before, each time; `args.ten` fits them all. */
export const coldSpecs = (): (() => SchemaSpec) => {
  let made = 0
  return () => ({ ...tenSpec, query: { type: "string", required: true, description: `query ${made++}` } })
}
