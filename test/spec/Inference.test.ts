/**
 * The types that a compiler infers from generated specs, held against types written from the same specs by hand.
 *
 * One file is generated and compiled once: lines that have to compile, and lines that must not.
 * `INFERENCE_SPECS=1000 npx vitest run test/spec/Inference.test.ts` asks for more than the usual run does.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { afterAll, describe, expect } from "vitest"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import type * as SchemaSpec from "../../src/spec/SchemaSpec.ts"
import { parts } from "./keywordPage.ts"

const specCount = Number(process.env["INFERENCE_SPECS"] ?? 200)
const folder = mkdtempSync("node_modules/.inference-")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const typeOf = (of: SchemaSpec.ValueSpec): string =>
  of.nullable === true ? `(${typeOfKind(of)} | null)` : typeOfKind(of)

const union = (members: ReadonlyArray<string>): string => `(${members.join(" | ")})`

const typeOfKind = (of: SchemaSpec.ValueSpec): string => {
  if ("const" in of && of.const !== undefined) return JSON.stringify(of.const)
  if ("enum" in of && of.enum !== undefined) return union(of.enum.map((member) => JSON.stringify(member)))
  if ("oneOf" in of) return union(of.oneOf.map(typeOf))
  if ("anyOf" in of) return union(of.anyOf.map(typeOf))
  switch (of.type) {
    case "string":
    case "boolean":
    case "null":
      return of.type
    case "number":
    case "integer":
      return "number"
    case "array":
      return `ReadonlyArray<${of.items === undefined ? "Schema.Json" : typeOf(of.items)}>`
    case "object":
      return typeOfObject(of)
    default:
      return "Schema.Json"
  }
}

const typeOfObject = ({ properties, additionalProperties }: SchemaSpec.ObjectSpec): string => {
  if (properties !== undefined) return typeOfProperties(properties)
  if (additionalProperties === undefined) return "Schema.JsonObject"
  if (additionalProperties === false) return "unknown"
  const other = additionalProperties === true ? "Schema.Json" : typeOf(additionalProperties)
  return `{ readonly [key: string]: ${other} }`
}

const typeOfProperties = (properties: SchemaSpec.Properties): string => {
  const members = Object.entries(properties).map(([name, of]) => {
    const optional = of.required === true || of.applyDefault === true ? "" : "?"
    return `readonly ${JSON.stringify(name)}${optional}: ${typeOf(of)}`
  })
  return `{ ${members.join("; ")} }`
}

/** Left to SchemaSpec.types.ts: names, and other keys beside declared ones, whose type is an intersection. */
const isPlain = (of: unknown): boolean => {
  if (typeof of !== "object" || of === null) return true
  if ("ref" in of || ("properties" in of && "additionalProperties" in of)) return false
  if ("additionalProperties" in of && of.additionalProperties === false) return false
  return Object.values(of).every(isPlain)
}

const cases = (): ReadonlyArray<readonly [SchemaSpec.Properties, unknown]> =>
  fc.sample(
    Specs.spec.filter(isPlain).chain((of) => fc.tuple(fc.constant(of), Values.fitting(of))),
    { numRuns: specCount, seed: 7 },
  )

interface Lines {
  readonly text: Array<string>
  /** Units: line numbers, from 1. */
  readonly wrong: Array<number>
}

const write = ({ text, wrong }: Lines, line: string, isWrong = false): void => {
  text.push(line)
  if (isWrong) wrong.push(text.length)
}

const compileLines = async ({ text }: Lines): Promise<ReadonlyArray<string>> => {
  writeFileSync(join(folder, "specs.ts"), text.join("\n"))
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: relative(folder, resolve("tsconfig.json")),
      compilerOptions: { noUnusedLocals: false },
      include: [],
      files: ["specs.ts"],
    }),
  )
  return new Promise((done) => {
    const args = ["node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false"]
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (_, stdout) => {
      done(stdout.split("\n").filter((line) => line.includes("specs.ts(")))
    })
  })
}

const begin = (): Lines => ({
  text: [
    'import type { Schema } from "effect"',
    `import { toSchema } from "${relative(folder, resolve("src/spec/SchemaSpec.ts"))}"`,
    `import { same } from "${relative(folder, resolve("test/types/same.ts"))}"`,
    "interface Tree { readonly label: string; readonly children?: ReadonlyArray<Tree> }",
  ],
  wrong: [],
})

const lineOf = (error: string): number => Number(/specs\.ts\((\d+),/.exec(error)?.[1])

describe("inferred types", () => {
  it(`are what ${specCount} generated specs and the cases of the reference page say`, async () => {
    const lines = begin()
    const found = cases()
    expect(found.length).toBe(specCount)
    for (const [index, [of, value]] of found.entries()) {
      write(lines, `const s${index} = toSchema(${JSON.stringify(of)})`)
      write(lines, `same<typeof s${index}.Type, ${typeOfProperties(of)}>(true)`)
      for (const [name, property] of Object.entries(of)) {
        // Anything but null and undefined is of the empty object type.
        if (typeOf(property).includes("{  }")) continue
        const others = JSON.stringify({ ...Object(value), [name]: null }).replace(/}$/, "")
        const bad = `{ ...${others}}, ${JSON.stringify(name)}: Symbol.iterator }`
        write(
          lines,
          `export const bad${index}_${Object.keys(of).indexOf(name)}: typeof s${index}.Type = ${bad}`,
          true,
        )
        if (property.required !== true) continue
        write(
          lines,
          `same<typeof s${index}.Type, ${typeOfProperties({ ...of, [name]: { ...property, required: false } })}>(true)`,
          true,
        )
      }
    }
    for (const [index, { spec, type }] of parts.flatMap(({ cases }) => cases).entries()) {
      write(lines, `const p${index} = toSchema(${JSON.stringify(spec)})`)
      if (type.includes("Tree"))
        write(lines, `export const tree${index}: Tree = ({} as typeof p${index}.Type).tree`)
      else write(lines, `same<typeof p${index}.Type, ${type}>(true)`)
    }
    const errors = await compileLines(lines)
    const wrong = new Set(lines.wrong)
    const unexpected = errors.filter((error) => !wrong.has(lineOf(error)))
    expect(unexpected.map((error) => `${error}\n${lines.text[lineOf(error) - 1]}`)).toEqual([])
    const refused = new Set(errors.map(lineOf))
    expect(lines.wrong.filter((line) => !refused.has(line)).map((line) => lines.text[line - 1])).toEqual([])
  }, 120_000)
})
