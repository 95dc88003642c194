/**
 * What `InferArgs` makes of each kind of spec. Checked by the compiler alone.
 */
import { Schema } from "effect"
import type * as Parameters from "../../src/spec/Parameters.ts"
import { fromSchema, fromSpec } from "../../src/spec/Parameters.ts"
import type { InferArgs, SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import { toSchema } from "../../src/spec/SchemaSpec.ts"

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

const same = <Left, Right>(_: Equal<Left, Right>): void => {}

const scalars = toSchema({
  text: { type: "string", required: true, description: "any text" },
  ratio: { type: "number", required: true },
  count: { type: "integer" },
  open: { type: "boolean", required: false },
  nothing: { type: "null" },
})
same<
  typeof scalars.Type,
  {
    readonly text: string
    readonly ratio: number
    readonly count?: number
    readonly open?: boolean
    readonly nothing?: null
  }
>(true)

const choices = toSchema({
  mode: { type: "string", enum: ["fast", "slow"], required: true },
  level: { type: "integer", enum: [1, 2, 3] },
  mixed: { enum: ["auto", 0, null, true], required: true },
  kind: { type: "string", const: "file", required: true },
  exact: { const: 7 },
  yes: { type: "boolean", const: true },
})
same<
  typeof choices.Type,
  {
    readonly mode: "fast" | "slow"
    readonly mixed: "auto" | 0 | null | true
    readonly kind: "file"
    readonly level?: 1 | 2 | 3
    readonly exact?: 7
    readonly yes?: true
  }
>(true)

const nested = toSchema({
  tags: { type: "array", items: { type: "string" }, required: true },
  rows: { type: "array", items: { type: "array", items: { type: "integer" } } },
  anything: { type: "array" },
  open: { type: "object" },
  edits: {
    type: "array",
    required: true,
    items: {
      type: "object",
      properties: {
        at: { type: "object", required: true, properties: { line: { type: "integer", required: true } } },
        mode: { type: "string", enum: ["a", "b"] },
      },
    },
  },
})
same<
  typeof nested.Type,
  {
    readonly tags: ReadonlyArray<string>
    readonly edits: ReadonlyArray<{ readonly at: { readonly line: number }; readonly mode?: "a" | "b" }>
    readonly rows?: ReadonlyArray<ReadonlyArray<number>>
    readonly anything?: ReadonlyArray<Schema.Json>
    readonly open?: Schema.JsonObject
  }
>(true)

// biome-ignore lint/complexity/noBannedTypes: the type of a tool without parameters
same<InferArgs<{}>, {}>(true)
same<InferArgs<SchemaSpec>, Schema.JsonObject>(true)
same<InferArgs<Record<string, { readonly type: "string" }>>, Schema.JsonObject>(true)

const wide: SchemaSpec = { path: { type: "string" } }
same<typeof wide extends SchemaSpec ? true : false, true>(true)
same<ReturnType<typeof fromSpec<typeof wide>>, Parameters.Parameters<Schema.JsonObject>>(true)

// Whether a key is required is not known: it may be absent, which is the reading that is always safe.
same<InferArgs<{ path: { type: "string"; required: boolean } }>, { readonly path?: string }>(true)

const args: InferArgs<{ path: { type: "string" } }> = {}
same<typeof args.path, string | undefined>(true)
// @ts-expect-error an optional key is absent or of its type, never undefined
const explicit: InferArgs<{ path: { type: "string" } }> = { path: undefined }
void explicit

const whole = toSchema({
  type: "object",
  properties: { path: { type: "string", required: true } },
  additionalProperties: false,
})
same<typeof whole.Type.path, string>(true)

const open = toSchema({
  env: {
    type: "object",
    required: true,
    properties: { HOME: { type: "string", required: true } },
    additionalProperties: { type: "integer" },
  },
})
same<typeof open.Type.env.HOME, string>(true)
same<(typeof open.Type.env)["PORT"], string | number>(true)

// A declared key that may be absent lets no undefined into the others.
const loose = toSchema({
  env: {
    type: "object",
    required: true,
    properties: { HOME: { type: "string" } },
    additionalProperties: { type: "integer" },
  },
})
same<(typeof loose.Type.env)["PORT"], string | number>(true)

// A spec that holds itself is typed as deep as one looks.
const tree = toSchema({
  root: {
    type: "object",
    name: "Tree",
    required: true,
    properties: {
      label: { type: "string", required: true },
      left: { ref: "Tree", nullable: true },
      children: { type: "array", items: { ref: "Tree" }, required: true },
    },
  },
  other: { ref: "Tree" },
})
type Tree = typeof tree.Type.root
same<Tree["children"][number]["children"][number]["label"], string>(true)
same<NonNullable<NonNullable<Tree["left"]>["left"]>["label"], string>(true)
same<NonNullable<typeof tree.Type.other>, NonNullable<Schema.Json>>(true)

// Sixteen levels are typed, the next is any JSON.
type Nest<D extends ReadonlyArray<unknown>> = D["length"] extends 15
  ? { type: "array"; items: { type: "string" } }
  : { type: "array"; items: Nest<[...D, 0]> }
type Sixteen = InferArgs<{ a: { type: "array"; items: Nest<[0, 0]>; required: true } }>["a"]
type Item<T, N extends ReadonlyArray<unknown> = []> = N["length"] extends 14
  ? T
  : T extends ReadonlyArray<infer I>
    ? Item<I, [...N, 0]>
    : never
same<Item<Sixteen>, ReadonlyArray<string>>(true)
type Eighteen = InferArgs<{
  a: { type: "array"; items: { type: "array"; items: Nest<[]> }; required: true }
}>["a"]
same<
  Item<Eighteen>[number] extends ReadonlyArray<infer I> ? I : never,
  ReadonlyArray<Schema.Json> | Schema.Json
>(true)

// The boundary itself: a value at level sixteen has its type, one at level seventeen is any JSON.
type Around<N extends number, D extends ReadonlyArray<unknown> = []> = D["length"] extends N
  ? { type: "string" }
  : { type: "array"; items: Around<N, [...D, 0]>; required: true }
type Dig<T, N extends number, D extends ReadonlyArray<unknown> = []> = D["length"] extends N
  ? T
  : T extends ReadonlyArray<infer I>
    ? Dig<I, N, [...D, 0]>
    : never
same<Dig<InferArgs<{ a: Around<15> }>["a"], 15>, string>(true)
same<Dig<InferArgs<{ a: Around<16> }>["a"], 16>, Schema.Json>(true)

// A wrong spec is refused where it is wrong: the error stands at the property and names the kinds there are.
// @ts-expect-error Type '"strin"' is not assignable to the known types
toSchema({ path: { type: "strin" } })
// @ts-expect-error a number is no member of a string enum
toSchema({ mode: { type: "string", enum: [1] } })
// @ts-expect-error neither a type, nor an enum, nor a const
toSchema({ mode: { description: "mode" } })
// @ts-expect-error a bound is a number
toSchema({ n: { type: "integer", minimum: "1" } })
// @ts-expect-error the default of an integer is a number
toSchema({ n: { type: "integer", default: "1" } })
// @ts-expect-error a branch is a spec
toSchema({ n: { oneOf: [{ type: "integer" }, { type: "text" }] } })
// @ts-expect-error the spec of an item is a spec too
toSchema({ tags: { type: "array", items: { type: "text" } } })

const When = Schema.Struct({
  when: Schema.DateFromString,
  count: Schema.optionalKey(Schema.NumberFromString),
})
same<ReturnType<typeof fromSchema<typeof When>>, Parameters.Parameters<typeof When.Type>>(true)
