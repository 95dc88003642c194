/** A range of a file is told as if the whole of it had been split into lines. */
import { it } from "@effect/vitest"
import { type Context, Effect, FileSystem, type Path } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { readFile } from "../../src/toolkit/ReadFile.ts"
import type { Workspace } from "../../src/toolkit/Workspace.ts"
import { call, halfCharacter, inWorkspace } from "./temporary.ts"

const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\r", "[", "\uFEFF"), maxLength: 4 })
const text = fc.tuple(fc.array(line, { maxLength: 8 }), fc.boolean()).map(([lines, isClosed]) => {
  const whole = lines.join("\n")
  return isClosed ? `${whole}\n` : whole
})
const place = fc.integer({ min: 1, max: 9 })

const check = (root: string, given: string, offset: number, limit: number, column: number) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* fs.writeFileString(`${root}/a.txt`, given)
    const lines = given.replace(/^\uFEFF/, "").match(/[^\n]*\n|[^\n]+$/g) ?? []
    const first = lines[offset - 1]
    const told = yield* Effect.exit(call(readFile, { path: "a.txt", offset, limit, column }))
    if (first === undefined || column > first.length)
      return expect(told._tag === "Failure" || lines.length === 0).toBe(true)
    const rest = first.slice(column - 1).replace(/^[\uDC00-\uDFFF]/, "")
    const shown = rest + lines.slice(offset, offset - 1 + limit).join("")
    const read = told._tag === "Success" ? told.value : ""
    expect(read.startsWith(shown)).toBe(true)
    expect(read.slice(shown.length)).toMatch(
      shown === lines.join("") ? /^$/ : /^\n?\[Lines \d+-\d+ of \d+.*\]$/,
    )
    expect(read).not.toMatch(halfCharacter)
  })

it.effect("a range is the lines that it names, from its column, and says what there is besides", () =>
  inWorkspace({}, (root) =>
    Effect.contextWith((services: Context.Context<Workspace | FileSystem.FileSystem | Path.Path>) =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(text, place, place, place, (...given) =>
            Effect.runPromiseWith(services)(Effect.asVoid(check(root, ...given))),
          ),
        ),
      ),
    ),
  ),
)
