/**
 * A program that sees only the machine form of violations repairs a call, and notes point out what nobody reads.
 *
 * Source: `error/Violation.ts`, what each fix means.
 */
import { it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { describe, expect } from "vitest"
import type { Fix, Violation } from "../../src/error/Violation.ts"
import * as Parameters from "../../src/spec/Parameters.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"

const at = (value: unknown, path: Violation["path"]): unknown =>
  path.reduce<unknown>((part, step) => Reflect.get(Object(part), step), value)

const convert = (value: unknown, to: Extract<Fix, { readonly kind: "convert" }>["to"]): unknown => {
  switch (to) {
    case "string":
      return String(value)
    case "array":
      return [value]
    case "item":
      return Array.isArray(value) ? value[0] : value
    default:
      return JSON.parse(
        String(value).toLowerCase() === "true"
          ? "true"
          : String(value)
              .trim()
              .replace(/^False$/, "false"),
      )
  }
}

const apply = (root: unknown, { fix, path }: Violation): void => {
  if (fix === undefined) return
  const holder = Object(at(root, path.slice(0, -1)))
  const last = path.at(-1) ?? ""
  switch (fix.kind) {
    case "rename":
      Reflect.set(holder, fix.to, Reflect.get(holder, fix.from))
      Reflect.deleteProperty(holder, fix.from)
      return
    case "drop":
      Reflect.deleteProperty(holder, fix.key)
      return
    case "unwrap": {
      const inside: unknown = Reflect.get(holder, fix.key)
      Reflect.deleteProperty(holder, fix.key)
      Object.assign(holder, inside)
      return
    }
    case "take":
      Reflect.set(holder, last, fix.member)
      return
    case "convert":
      Reflect.set(holder, last, convert(Reflect.get(holder, last), fix.to))
  }
}

const corrected = (spec: SchemaSpec, sent: object): unknown => {
  const value: unknown = structuredClone(sent)
  const { check } = Parameters.fromSpec(spec)
  for (const violation of Effect.runSync(Effect.flip(check(value)))) apply(value, violation)
  return Exit.isSuccess(Effect.runSyncExit(check(value))) ? value : undefined
}

describe("one round of corrections", () => {
  const closed = {
    type: "object",
    properties: { path: { type: "string", required: true }, limit: { type: "integer" } },
    additionalProperties: false,
  } as const
  const cases: ReadonlyArray<readonly [name: string, spec: SchemaSpec, sent: object, repaired: object]> = [
    ["renames a key", closed, { pth: "a" }, { path: "a" }],
    ["drops a key", closed, { path: "a", colour: 1 }, { path: "a" }],
    ["drops a null", closed, { path: "a", limit: null }, { path: "a" }],
    ["takes a member", { mode: { enum: ["fast", "slow"] } }, { mode: "Fast" }, { mode: "fast" }],
    ["takes a member of another kind", { n: { enum: [1, 2] } }, { n: "2" }, { n: 2 }],
    ["writes text as an integer", { n: { type: "integer" } }, { n: "12" }, { n: 12 }],
    ["writes text as a boolean", { b: { type: "boolean" } }, { b: "False" }, { b: false }],
    ["writes a number as text", { s: { type: "string" } }, { s: 12 }, { s: "12" }],
    ["opens nested text", { o: { type: "object" } }, { o: '{"a":1}' }, { o: { a: 1 } }],
    ["wraps a lone item", { a: { type: "array", items: { type: "integer" } } }, { a: 1 }, { a: [1] }],
    [
      "moves up what stands inside another key",
      closed,
      { input: { path: "a", limit: 1 } },
      { path: "a", limit: 1 },
    ],
    ["unwraps an item", { s: { type: "string" } }, { s: ["x"] }, { s: "x" }],
    [
      "works in the branch that the value names",
      {
        e: {
          oneOf: [
            { type: "object", properties: { k: { const: "a", required: true }, n: { type: "integer" } } },
            { type: "object", properties: { k: { const: "b", required: true }, s: { type: "string" } } },
          ],
        },
      },
      { e: { k: "a", n: "1" } },
      { e: { k: "a", n: 1 } },
    ],
    [
      "works at several places at once",
      { rows: { type: "array", items: closed }, mode: { enum: ["fast"] } },
      { rows: [{ pth: "a" }, { path: "b", x: 1 }], mode: "fst" },
      { rows: [{ path: "a" }, { path: "b" }], mode: "fast" },
    ],
  ]
  for (const [name, spec, sent, repaired] of cases) {
    it(name, () => {
      expect(corrected(spec, sent)).toEqual(repaired)
    })
  }

  it("has nothing for text that is JSON to Python alone, but a word", () => {
    const spec = { names: { type: "array", items: { type: "string" } } } as const
    expect(corrected(spec, { names: "['John']" })).toBeUndefined()
    const [violation] = Effect.runSync(Effect.flip(Parameters.fromSpec(spec).check({ names: "['John']" })))
    expect(violation).toMatchObject({ hint: "write the array itself as JSON, without quotes around it" })
    expect(violation?.fix).toBeUndefined()
  })

  it("has nothing for what only the author of the value knows", () => {
    expect(corrected({ n: { type: "integer", minimum: 5 } }, { n: 1 })).toBeUndefined()
    expect(corrected({ s: { type: "string", required: true } }, {})).toBeUndefined()
  })
})

describe("notes", () => {
  const spec = { path: { type: "string", required: true }, limit: { type: "integer" } } as const
  const notes = (of: SchemaSpec, args: unknown) => Parameters.fromSpec(of).notes(args)

  it("point out keys that nothing reads, with the key that may have been meant", () => {
    const found = notes(spec, { path: "a", limits: 3, colour: 1 })
    expect(found.map(({ path, hint, fix }) => ({ path, hint, fix }))).toEqual([
      {
        path: ["limits"],
        hint: 'did you mean "limit"?',
        fix: { kind: "rename", from: "limits", to: "limit" },
      },
      { path: ["colour"], hint: undefined, fix: undefined },
    ])
  })

  it("are none where other keys are welcome, and for arguments that are all read", () => {
    expect(
      notes({ type: "object", properties: spec, additionalProperties: true }, { path: "a", x: 1 }),
    ).toEqual([])
    expect(notes(spec, { path: "a", limit: 1 })).toEqual([])
  })

  it("look into items and branches", () => {
    const rows = {
      rows: { type: "array", items: { anyOf: [{ type: "null" }, { type: "object", properties: spec }] } },
    } as const
    expect(notes(rows, { rows: [null, { path: "a", pathh: "b" }] }).map(({ path }) => path)).toEqual([
      ["rows", 1, "pathh"],
    ])
  })
})

describe("an object with very many unknown keys", () => {
  it("is refused by naming some of them", () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key${index}`, 0]))
    const closed = { type: "object", properties: {}, additionalProperties: false } as const
    const found = Effect.runSync(Effect.flip(Parameters.fromSpec(closed).check(many)))
    expect(found).toHaveLength(17)
    expect(found.at(-1)?.got).toBe("199984 more unknown keys")
  })
})
