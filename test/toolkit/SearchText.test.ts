import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import {
  maxFileBytes,
  maxLineChars,
  maxMatches,
  maxQueryLength,
  maxSearchMillis,
  searchText,
} from "../../src/toolkit/SearchText.ts"
import { call, code, failure, halfCharacter, inWorkspace } from "./temporary.ts"

const project = {
  "src/a.ts": "const a = 1\nconst b = f(a)\n// done\n",
  "src/b.ts": "import a\r\nF(A)\r\n",
  "notes.md": "f(a) is called\n",
  "node_modules/x/index.js": "f(a)\n",
}

describe("search_text", () => {
  it.effect("finds plain text and gives file, line and text", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* call(searchText, { query: "f(a)" })).toBe(
          "notes.md:1:f(a) is called\nsrc/a.ts:2:const b = f(a)",
        )
      }),
    ),
  )

  it.effect("takes a regular expression, ignores case, filters by glob and by path", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* call(searchText, { query: "^f\\(.\\)$", regex: true, ignore_case: true })).toBe(
          "src/b.ts:2:F(A)",
        )
        expect(yield* call(searchText, { query: "f(a)", glob: "*.ts" })).toBe("src/a.ts:2:const b = f(a)")
        expect(yield* call(searchText, { query: "const", path: "src/a.ts" })).toBe(
          "src/a.ts:1:const a = 1\nsrc/a.ts:2:const b = f(a)",
        )
        expect(yield* call(searchText, { query: "f(a)", path: "node_modules" })).toBe(
          "node_modules/x/index.js:1:f(a)",
        )
      }),
    ),
  )

  it.effect("shows context as grep does, each line once", () =>
    inWorkspace({ "a.txt": "1\nx\n3\nx\n5\n6\n7\n8\nx\n" }, () =>
      Effect.gen(function* () {
        expect(yield* call(searchText, { query: "x", context: 1 })).toBe(
          [
            "a.txt-1-1",
            "a.txt:2:x",
            "a.txt-3-3",
            "a.txt:4:x",
            "a.txt-5-5",
            "--",
            "a.txt-8-8",
            "a.txt:9:x",
            "a.txt-10-",
          ].join("\n"),
        )
      }),
    ),
  )

  it.effect("says that nothing matches", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* call(searchText, { query: "nothing like it" })).toBe("[No line matches in 3 files.]")
      }),
    ),
  )

  it.effect("stops after a number of lines, and gives exactly that many without a notice", () =>
    inWorkspace({ "a.txt": "x\n".repeat(maxMatches), "sub/b.txt": "x\n" }, () =>
      Effect.gen(function* () {
        const whole = (yield* call(searchText, { query: "x", glob: "a.txt" })).split("\n")
        expect(whole).toHaveLength(maxMatches)
        const cut = (yield* call(searchText, { query: "x" })).split("\n")
        expect(cut).toHaveLength(maxMatches + 1)
        expect(cut.at(-1)).toContain(`More than ${maxMatches} lines match`)
      }),
    ),
  )

  it.effect("cuts a long line, never inside a character", () =>
    inWorkspace({ "min.js": `x${"😀".repeat(maxLineChars)}\n` }, () =>
      Effect.gen(function* () {
        const line = yield* call(searchText, { query: "x" })
        expect(line).not.toMatch(halfCharacter)
        expect(line).toContain(`[cut: ${2 * maxLineChars + 1} characters]`)
      }),
    ),
  )

  it.effect("skips what is no text, too large or a link, and says how many files", () =>
    inWorkspace({ "a.txt": "secret\n", "b.bin": "secret\0" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${root}/large.txt`, "secret")
        yield* fs.truncate(`${root}/large.txt`, maxFileBytes + 1)
        yield* fs.symlink("../outside.txt", `${root}/link.txt`)
        expect(yield* call(searchText, { query: "secret" })).toBe(
          "a.txt:1:secret\n[2 files skipped: not text, too large or not readable.]",
        )
        expect(yield* code(call(searchText, { query: "secret", path: "b.bin" }))).toBe("FILE_NOT_TEXT")
        expect(yield* code(call(searchText, { query: "secret", path: "link.txt" }))).toBe(
          "PATH_OUTSIDE_WORKSPACE",
        )
      }),
    ),
  )

  it.effect("says what is wrong with a pattern", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        const bad = yield* failure(call(searchText, { query: "f(a", regex: true }))
        expect(bad.code).toBe("PATTERN_INVALID")
        expect(bad.message).toContain("Unterminated group")
        expect(yield* code(call(searchText, { query: "" }))).toBe("PATTERN_INVALID")
        const long = yield* failure(call(searchText, { query: "a|".repeat(1_000_000), regex: true }))
        expect(long.code).toBe("PATTERN_INVALID")
        expect(long.message).toContain(`at most ${maxQueryLength}`)
        expect(yield* call(searchText, { query: "y".repeat(maxQueryLength) })).toContain("No line")
        expect(yield* code(call(searchText, { query: "a", context: 11 }))).toBe("ARGUMENT_OUT_OF_RANGE")
      }),
    ),
  )

  it.effect("takes plain text literally, and patterns as loosely as models write them", () =>
    inWorkspace({ "a.ts": "f() {\n[x-y] \\ / 1.0$\nß😀\n" }, () =>
      Effect.gen(function* () {
        expect(yield* call(searchText, { query: "[x-y] \\ / 1.0$" })).toBe("a.ts:2:[x-y] \\ / 1.0$")
        expect(yield* call(searchText, { query: "f\\(\\) {", regex: true })).toBe("a.ts:1:f() {")
        expect(yield* call(searchText, { query: "x\\-y", regex: true })).toContain("a.ts:2:")
        expect(yield* call(searchText, { query: "^\\p{L}.$", regex: true })).toBe("a.ts:3:ß😀")
      }),
    ),
  )

  it.effect("stops when time is up, and says how far it came", () =>
    inWorkspace({ "a.txt": "x\n", "b.txt": "x\n", "c.txt": "x\n" }, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const slow = FileSystem.FileSystem.of({
          ...fs,
          stat: (path) =>
            path.endsWith(".txt")
              ? Effect.andThen(TestClock.adjust(maxSearchMillis / 2 + 1), fs.stat(path))
              : fs.stat(path),
        })
        const text = yield* Effect.provideService(
          call(searchText, { query: "x" }),
          FileSystem.FileSystem,
          slow,
        )
        expect(
          yield* Effect.provideService(call(searchText, { query: "y" }), FileSystem.FileSystem, slow),
        ).toBe(
          "[No line matches in 2 files.]\n[Stopped after 10 s, 2 of 3 files. Narrow the path or the glob.]",
        )
        expect(text).toBe(
          "a.txt:1:x\nb.txt:1:x\n[Stopped after 10 s, 2 of 3 files. Narrow the path or the glob.]",
        )
      }),
    ),
  )

  it.effect("stops a pattern that backtracks for ages", () =>
    inWorkspace({ "a.txt": `${"a".repeat(60)}b\n` }, () =>
      Effect.gen(function* () {
        const slow = yield* failure(call(searchText, { query: "^(a+)+$", regex: true }))
        expect(slow.code).toBe("PATTERN_TOO_SLOW")
        expect(slow.message).toContain("a.txt")
      }),
    ),
  )
})
