/**
 * docs/reference/schema-spec.md: one case a keyword, and the page that is written from them.
 *
 * Not here: that the page is this page (`Reference.test.ts`), that the types are these types (`Inference.test.ts`).
 */
import { Effect } from "effect"
import * as Parameters from "../../src/spec/Parameters.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import * as Violations from "../../src/spec/Violations.ts"

export interface Case {
  readonly keyword: string
  readonly says: string
  readonly spec: SchemaSpec
  /** The type of the arguments, as TypeScript. */
  readonly type: string
  /** What a model may send by mistake. */
  readonly wrong: string
}

interface Part {
  readonly title: string
  readonly cases: ReadonlyArray<Case>
}

const text: Part = {
  title: "Text",
  cases: [
    {
      keyword: "type: string",
      says: "Text. A number in its place is not turned into text.",
      spec: { id: { type: "string", required: true } },
      type: "{ readonly id: string }",
      wrong: '{"id":7}',
    },
    {
      keyword: "minLength, maxLength",
      says: "Units: code points, as JSON Schema counts.",
      spec: { code: { type: "string", minLength: 2, maxLength: 4 } },
      type: "{ readonly code?: string }",
      wrong: '{"code":"A"}',
    },
    {
      keyword: "pattern",
      says: "A regular expression with the `u` flag, not anchored. The length is checked first: `maxLength` bounds its work.",
      spec: { code: { type: "string", pattern: "^[A-Z]+$" } },
      type: "{ readonly code?: string }",
      wrong: '{"code":"abc"}',
    },
    {
      keyword: "format",
      says: "Shown to the model, never checked, as JSON Schema 2020-12 has it by default. What must hold needs a `pattern` or an Effect Schema.",
      spec: { day: { type: "string", format: "date", required: true } },
      type: "{ readonly day: string }",
      wrong: '{"day":null}',
    },
  ],
}

const numbers: Part = {
  title: "Numbers",
  cases: [
    {
      keyword: "type: number",
      says: "A finite number.",
      spec: { ratio: { type: "number" } },
      type: "{ readonly ratio?: number }",
      wrong: '{"ratio":"0.5"}',
    },
    {
      keyword: "type: integer",
      says: "A whole number within ±(2⁵³ − 1). JSON Schema allows more; beyond that, reading the text has already changed the number.",
      spec: { id: { type: "integer" } },
      type: "{ readonly id?: number }",
      wrong: '{"id":12345678901234567890}',
    },
    {
      keyword: "minimum, maximum",
      says: "Bounds that are allowed themselves.",
      spec: { limit: { type: "integer", minimum: 1, maximum: 100 } },
      type: "{ readonly limit?: number }",
      wrong: '{"limit":0}',
    },
    {
      keyword: "exclusiveMinimum, exclusiveMaximum",
      says: "Bounds that are not allowed themselves.",
      spec: { price: { type: "number", exclusiveMinimum: 0 } },
      type: "{ readonly price?: number }",
      wrong: '{"price":0}',
    },
    {
      keyword: "multipleOf",
      says: "Exact for decimals as they are written: 0.3 is a multiple of 0.1.",
      spec: { price: { type: "number", multipleOf: 0.01 } },
      type: "{ readonly price?: number }",
      wrong: '{"price":1.005}',
    },
  ],
}

const choices: Part = {
  title: "Choices",
  cases: [
    {
      keyword: "type: boolean",
      says: "True or false.",
      spec: { all: { type: "boolean" } },
      type: "{ readonly all?: boolean }",
      wrong: '{"all":"True"}',
    },
    {
      keyword: "type: null",
      says: "Null alone; beside another type, see `nullable`.",
      spec: { nothing: { type: "null" } },
      type: "{ readonly nothing?: null }",
      wrong: '{"nothing":"null"}',
    },
    {
      keyword: "type: any",
      says: "Any JSON.",
      spec: { data: { type: "any", required: true } },
      type: "{ readonly data: Schema.Json }",
      wrong: "{}",
    },
    {
      keyword: "enum",
      says: "One of the members; without a `type` they may be of several kinds.",
      spec: { mode: { type: "string", enum: ["fast", "careful"] }, level: { enum: ["auto", 1, 2, null] } },
      type: '{ readonly mode?: "fast" | "careful"; readonly level?: "auto" | 1 | 2 | null }',
      wrong: '{"mode":"carefull","level":"1"}',
    },
    {
      keyword: "const",
      says: "One value; mostly the mark of a branch (see `oneOf`).",
      spec: { version: { const: 2, required: true } },
      type: "{ readonly version: 2 }",
      wrong: '{"version":3}',
    },
  ],
}

const lists: Part = {
  title: "Arrays",
  cases: [
    {
      keyword: "type: array, items",
      says: "A list; without `items`, of any JSON.",
      spec: { tags: { type: "array", items: { type: "string" } } },
      type: "{ readonly tags?: ReadonlyArray<string> }",
      wrong: '{"tags":"urgent"}',
    },
    {
      keyword: "minItems, maxItems",
      says: "How many items.",
      spec: { range: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 } },
      type: "{ readonly range?: ReadonlyArray<number> }",
      wrong: '{"range":[1]}',
    },
    {
      keyword: "uniqueItems",
      says: "No two items are equal as JSON, whatever the order of their keys.",
      spec: { ids: { type: "array", items: { type: "integer" }, uniqueItems: true } },
      type: "{ readonly ids?: ReadonlyArray<number> }",
      wrong: '{"ids":[1,2,1]}',
    },
  ],
}

const objects: Part = {
  title: "Objects",
  cases: [
    {
      keyword: "type: object, properties, required",
      says: "Named members. `required: true` stands at the property. Other keys are let through as they came, as in JSON Schema; they are named beside what is wrong, and a near miss is pointed out.",
      spec: {
        at: {
          type: "object",
          required: true,
          properties: { line: { type: "integer", required: true }, column: { type: "integer" } },
        },
      },
      type: "{ readonly at: { readonly line: number; readonly column?: number } }",
      wrong: '{"at":{"lin":3,"colum":1}}',
    },
    {
      keyword: "additionalProperties: false",
      says: "No other keys. For the arguments themselves, give the whole as one object spec.",
      spec: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
      type: "{ readonly path?: string }",
      wrong: '{"pth":"a.txt","verbose":true}',
    },
    {
      keyword: "additionalProperties: true",
      says: "Other keys are welcome: nothing is said about them.",
      spec: { env: { type: "object", additionalProperties: true } },
      type: "{ readonly env?: { readonly [key: string]: Schema.Json } }",
      wrong: '{"env":[]}',
    },
    {
      keyword: "additionalProperties: a spec",
      says: "A record: every other key holds a value of this spec.",
      spec: { env: { type: "object", additionalProperties: { type: "string" } } },
      type: "{ readonly env?: { readonly [key: string]: string } }",
      wrong: '{"env":{"PORT":8080}}',
    },
  ],
}

const unions: Part = {
  title: "Unions and names",
  cases: [
    {
      keyword: "oneOf",
      says: "A value of exactly one branch. A required key with another `const` (or `enum`) in each tells the branches apart, and then only that branch is spoken of.",
      spec: {
        edit: {
          required: true,
          oneOf: [
            {
              type: "object",
              properties: {
                kind: { const: "insert", required: true },
                text: { type: "string", required: true },
              },
            },
            {
              type: "object",
              properties: {
                kind: { const: "delete", required: true },
                lines: { type: "integer", required: true },
              },
            },
          ],
        },
      },
      type: '{ readonly edit: { readonly kind: "insert"; readonly text: string } | { readonly kind: "delete"; readonly lines: number } }',
      wrong: '{"edit":{"kind":"delete","lines":"3"}}',
    },
    {
      keyword: "anyOf",
      says: "A value of at least one branch. What is wrong is said of the branch that comes nearest, by its number.",
      spec: {
        to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }], required: true },
      },
      type: "{ readonly to: string | ReadonlyArray<string> }",
      wrong: '{"to":["a",1]}',
    },
    {
      keyword: "nullable",
      says: "Null too. A key that may be left out is not nullable by that.",
      spec: { parent: { type: "string", nullable: true, required: true }, limit: { type: "integer" } },
      type: "{ readonly parent: string | null; readonly limit?: number }",
      wrong: '{"parent":null,"limit":null}',
    },
    {
      keyword: "name, ref",
      says: "A spec that has a name can hold itself: `ref` stands for it. A `ref` to a name that is not around it is typed as any JSON.",
      spec: {
        tree: {
          type: "object",
          name: "Tree",
          required: true,
          properties: {
            label: { type: "string", required: true },
            children: { type: "array", items: { ref: "Tree" } },
          },
        },
      },
      type: "{ readonly tree: Tree }",
      wrong: '{"tree":{"label":"a","children":[{"label":1}]}}',
    },
  ],
}

const words: Part = {
  title: "Words and policies",
  cases: [
    {
      keyword: "title, description, examples, deprecated",
      says: "Shown to the model. Examples have to fit their spec.",
      spec: {
        city: {
          type: "string",
          title: "City",
          description: "in English",
          examples: ["Rome"],
          deprecated: true,
        },
      },
      type: "{ readonly city?: string }",
      wrong: '{"city":["Rome"]}',
    },
    {
      keyword: "default",
      says: "Shown to the model, and no more.",
      spec: { limit: { type: "integer", default: 10 } },
      type: "{ readonly limit?: number }",
      wrong: '{"limit":"ten"}',
    },
    {
      keyword: "applyDefault",
      says: "Put the default in when the key is absent: the body always finds it.",
      spec: { limit: { type: "integer", default: 10, applyDefault: true } },
      type: "{ readonly limit: number }",
      wrong: '{"limit":null}',
    },
    {
      keyword: "sensitive",
      says: "Nobody is told anything of the value but its digest, by which equal ones are seen to be equal: no violation, no repair, no one at the terminal. An undeclared key beside it counts as sensitive. In JSON Schema it is `writeOnly`, also in schemas of others; an Effect Schema says it by `.annotate({ writeOnly: true })`.",
      spec: { token: { type: "string", minLength: 20, sensitive: true, required: true } },
      type: "{ readonly token: string }",
      wrong: '{"token":"hunter2"}',
    },
  ],
}

export const parts: ReadonlyArray<Part> = [text, numbers, choices, lists, objects, unions, words]

/** What a model reads about a wrong call, as lines. */
export const hear = (spec: SchemaSpec, args: string): string => {
  const problem = Effect.runSync(Effect.flip(Parameters.fromSpec(spec).decode(args)))
  return problem._tag === "Malformed" ? problem.message : Violations.toText(problem.violations)
}

const heading = `# The language of specs

What a tool takes is written as a plain object: property name → spec. \`defineTool\` makes three things of it: the type of
the body's arguments, the JSON Schema that the model reads, and the check that stands between the two. Each keyword below
is shown with all three, and with a wrong call and what the model hears about it.

A spec that is made wrongly (an unknown keyword, bounds that leave nothing, a pattern that is no regular expression, a
default that breaks its own spec, a name such as \`__proto__\`) throws a \`TypeError\` where the tool is defined. An Effect
Schema may stand in place of a spec.

This page is written from test/spec/keywordPage.ts; \`UPDATE_DOCS=1 npx vitest run test/spec/Reference.test.ts\` writes it anew.`

const render = ({ keyword, says, spec, type, wrong }: Case): string => {
  const { jsonSchema } = Parameters.fromSpec(spec)
  return [
    `### ${keyword}`,
    says,
    [
      "```",
      `spec     ${JSON.stringify(spec)}`,
      `type     ${type}`,
      `schema   ${JSON.stringify(jsonSchema)}`,
    ].join("\n"),
    [
      `wrong    ${wrong}`,
      ...hear(spec, wrong)
        .split("\n")
        .map((line) => `hears    ${line}`),
      "```",
    ].join("\n"),
  ]
    .join("\n\n")
    .replace("\n\nwrong ", "\nwrong ")
}

export const page = (): string =>
  `${[heading, ...parts.flatMap(({ title, cases }) => [`## ${title}`, ...cases.map(render)])].join("\n\n")}\n`
