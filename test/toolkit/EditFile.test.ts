import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { describe, expect } from "vitest"
import { editFile } from "../../src/toolkit/EditFile.ts"
import { call, code, failure, inWorkspace } from "./temporary.ts"

const edit = (path: string, oldText: string, newText: string, more: object = {}) =>
  call(editFile, { path, old_text: oldText, new_text: newText, ...more })

const textOf = (path: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path))

describe("edit_file", () => {
  it.effect("replaces the one occurrence and tells its line", () =>
    inWorkspace({ "a.ts": "one\ntwo\nthree\n" }, (root) =>
      Effect.gen(function* () {
        expect(yield* edit("a.ts", "two\nthree", "2\n3\n4")).toBe("Replaced 1 occurrence in a.ts at line 2.")
        expect(yield* textOf(`${root}/a.ts`)).toBe("one\n2\n3\n4\n")
      }),
    ),
  )

  it.effect("takes both texts literally", () =>
    inWorkspace({ "a.ts": "a.b $1\n" }, (root) =>
      Effect.gen(function* () {
        yield* edit("a.ts", "a.b $1", "$& $1 $$ \\n")
        expect(yield* textOf(`${root}/a.ts`)).toBe("$& $1 $$ \\n\n")
      }),
    ),
  )

  it.effect("refuses a text that occurs twice, unless all are meant", () =>
    inWorkspace({ "a.ts": "x\n\nx x\n" }, (root) =>
      Effect.gen(function* () {
        const refused = yield* failure(edit("a.ts", "x", "y"))
        expect(refused.code).toBe("EDIT_AMBIGUOUS")
        expect(refused.message).toContain("3 times in a.ts (lines 1, 3, 3)")
        expect(yield* textOf(`${root}/a.ts`)).toBe("x\n\nx x\n")
        expect(yield* edit("a.ts", "x", "y", { replace_all: true })).toBe(
          "Replaced 3 occurrences in a.ts at lines 1, 3, 3.",
        )
        expect(yield* textOf(`${root}/a.ts`)).toBe("y\n\ny y\n")
      }),
    ),
  )

  it.effect.each([
    ["aaa", "aa", 2, "1, 1"],
    ["}\n}\n}\n", "}\n}\n", 2, "1, 2"],
    ["aa", "a", 2, "1, 1"],
  ] as const)("refuses in %j the text %j, whose occurrences may overlap", ([text, old, times, lines]) =>
    inWorkspace({ "a.txt": text }, (root) =>
      Effect.gen(function* () {
        const refused = yield* failure(edit("a.txt", old, "b"))
        expect(refused.code).toBe("EDIT_AMBIGUOUS")
        expect(refused.message).toContain(`occurs ${times} times in a.txt (lines ${lines})`)
        expect(yield* textOf(`${root}/a.txt`)).toBe(text)
      }),
    ),
  )

  it.effect("replaces all from left to right, none of them twice", () =>
    inWorkspace({ "a.txt": "aaa\naaaa" }, (root) =>
      Effect.gen(function* () {
        expect(yield* edit("a.txt", "aa", "b", { replace_all: true })).toBe(
          "Replaced 3 occurrences in a.txt at lines 1, 2, 2.",
        )
        expect(yield* textOf(`${root}/a.txt`)).toBe("ba\nbb")
      }),
    ),
  )

  it.effect("counts no further than the lines that it names", () =>
    inWorkspace({ "a.txt": "x\n".repeat(50) }, () =>
      Effect.gen(function* () {
        expect((yield* failure(edit("a.txt", "x", "y"))).message).toContain(
          "occurs more than 10 times in a.txt (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)",
        )
      }),
    ),
  )

  it.effect("refuses half a character, in what it finds and in what it writes", () =>
    inWorkspace({ "a.txt": "x😀y😁" }, (root) =>
      Effect.gen(function* () {
        for (const half of ["\ud83d", "\ude00", "x\ud83d"]) {
          expect(yield* code(edit("a.txt", half, "Z", { replace_all: true }))).toBe("TEXT_NOT_WELL_FORMED")
          expect(yield* code(edit("a.txt", "x", half))).toBe("TEXT_NOT_WELL_FORMED")
        }
        expect(yield* textOf(`${root}/a.txt`)).toBe("x😀y😁")
        yield* edit("a.txt", "😀", "😁")
        expect(yield* textOf(`${root}/a.txt`)).toBe("x😁y😁")
      }),
    ),
  )

  it.effect("refuses a text that is not there, and tells where it almost is", () =>
    inWorkspace({ "a.ts": "if (a) {\n\treturn b\n}\n" }, () =>
      Effect.gen(function* () {
        const near = yield* failure(edit("a.ts", "  return b\n}", "x"))
        expect(near.code).toBe("EDIT_NOT_FOUND")
        expect(near.message).toContain("Line 2 is like its first line")
        const far = yield* failure(edit("a.ts", "return c", "x"))
        expect(far.code).toBe("EDIT_NOT_FOUND")
        expect(far.message).toContain("Read the file again")
      }),
    ),
  )

  it.effect("refuses to do nothing", () =>
    inWorkspace({ "a.ts": "x\n" }, () =>
      Effect.gen(function* () {
        expect(yield* code(edit("a.ts", "x", "x"))).toBe("EDIT_WITHOUT_EFFECT")
        expect(yield* code(edit("a.ts", "", "x"))).toBe("EDIT_WITHOUT_EFFECT")
      }),
    ),
  )

  it.effect("keeps CR LF, the byte order mark and the mode", () =>
    inWorkspace({ "a.bat": "\uFEFFone\r\ntwo\r\nthree\r\n" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.chmod(`${root}/a.bat`, 0o700)
        yield* edit("a.bat", "one\ntwo", "1\n2\n2b")
        expect(yield* textOf(`${root}/a.bat`)).toBe("1\r\n2\r\n2b\r\nthree\r\n")
        const bytes = yield* fs.readFile(`${root}/a.bat`)
        expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
        expect((yield* fs.stat(`${root}/a.bat`)).mode & 0o777).toBe(0o700)
      }),
    ),
  )

  it.effect("leaves line ends alone in a file that mixes them", () =>
    inWorkspace({ "a.txt": "one\r\ntwo\nthree\n" }, (root) =>
      Effect.gen(function* () {
        yield* edit("a.txt", "two\nthree", "2\n3")
        expect(yield* textOf(`${root}/a.txt`)).toBe("one\r\n2\n3\n")
      }),
    ),
  )

  it.effect("loses none of many edits that run at the same time", () =>
    inWorkspace({ "a.txt": Array.from({ length: 20 }, (_, index) => `<${index}>`).join("\n") }, (root) =>
      Effect.gen(function* () {
        yield* Effect.all(
          Array.from({ length: 20 }, (_, index) => edit("a.txt", `<${index}>`, `[${index}]`)),
          { concurrency: "unbounded" },
        )
        expect(yield* textOf(`${root}/a.txt`)).toBe(
          Array.from({ length: 20 }, (_, index) => `[${index}]`).join("\n"),
        )
      }),
    ),
  )

  it.effect("tells a missing file from a folder and from a path outside, by code", () =>
    inWorkspace({ "src/a.ts": "" }, () =>
      Effect.gen(function* () {
        expect(yield* code(edit("src/b.ts", "x", "y"))).toBe("ENOENT")
        expect(yield* code(edit("src", "x", "y"))).toBe("EISDIR")
        expect(yield* code(edit("../outside.txt", "secret", "y"))).toBe("PATH_OUTSIDE_WORKSPACE")
      }),
    ),
  )
})
