import { execFileSync } from "node:child_process"
import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { describe, expect } from "vitest"
import { maxChars, maxLines, readFile } from "../../src/toolkit/ReadFile.ts"
import { runCommand } from "../../src/toolkit/RunCommand.ts"
import * as textFile from "../../src/toolkit/textFile.ts"
import { maxBytes } from "../../src/toolkit/textFile.ts"
import { call, code, failure, halfCharacter, inWorkspace } from "./temporary.ts"

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("")

describe("read_file", () => {
  it.effect("gives a whole file exactly as it is", () =>
    inWorkspace({ "a.txt": "one\r\n\ttwo  \nthree" }, () =>
      Effect.gen(function* () {
        expect(yield* call(readFile, { path: "a.txt" })).toBe("one\r\n\ttwo  \nthree")
      }),
    ),
  )

  it.effect("leaves out the byte order mark", () =>
    inWorkspace({ "a.txt": "\uFEFFone\n" }, () =>
      Effect.gen(function* () {
        expect(yield* call(readFile, { path: "a.txt" })).toBe("one\n")
      }),
    ),
  )

  it.effect("gives a range and says where to go on", () =>
    inWorkspace({ "a.txt": numbered(10) }, () =>
      Effect.gen(function* () {
        expect(yield* call(readFile, { path: "a.txt", offset: 3, limit: 2 })).toBe(
          "line 3\nline 4\n[Lines 3-4 of 10. Continue with offset 5.]",
        )
        expect(yield* call(readFile, { path: "a.txt", offset: 10 })).toBe("line 10\n[Lines 10-10 of 10.]")
      }),
    ),
  )

  it.effect("cuts a long file after a number of lines", () =>
    inWorkspace({ "a.txt": numbered(maxLines + 1) }, () =>
      Effect.gen(function* () {
        const text = yield* call(readFile, { path: "a.txt", limit: 1_000_000 })
        expect(text).toContain(
          `line ${maxLines}\n[Lines 1-${maxLines} of ${maxLines + 1}. Continue with offset ${maxLines + 1}.]`,
        )
      }),
    ),
  )

  it.effect("cuts wide lines at a line, and a single huge line never inside a character", () =>
    inWorkspace(
      {
        "wide.txt": `${"x".repeat(maxChars / 2)}\n`.repeat(3),
        "huge.txt": `x${"😀".repeat(maxChars)}\nend\n`,
      },
      () =>
        Effect.gen(function* () {
          const wide = yield* call(readFile, { path: "wide.txt" })
          expect(wide.endsWith("x\n[Lines 1-1 of 3. Continue with offset 2.]")).toBe(true)
          const huge = yield* call(readFile, { path: "huge.txt" })
          expect(huge).not.toMatch(halfCharacter)
          expect(huge).toContain(
            `\n[Line 1 of 2, characters 1-${maxChars - 1} of ${2 * maxChars + 2}. ` +
              `Continue with offset 1, column ${maxChars}; the next line has offset 2.]`,
          )
        }),
    ),
  )

  it.effect("gives a huge line whole, part by part, as its notices say", () => {
    const line = `x${"😀".repeat(maxChars)}`
    return inWorkspace({ "huge.txt": `${line}\nend\n` }, () =>
      Effect.gen(function* () {
        let read = ""
        for (let column = 1, parts = 1; column > 0; parts++) {
          expect(parts).toBeLessThan(5)
          const text = yield* call(readFile, { path: "huge.txt", column })
          read += text.slice(0, text.lastIndexOf("\n[") + (text.includes("[Line ") ? 0 : 1))
          column = Number(/Continue with offset 1, column (\d+)/.exec(text)?.[1] ?? 0)
        }
        expect(read).toBe(`${line}\nend\n`)
        const inside = yield* call(readFile, { path: "huge.txt", column: 2 * maxChars + 1, limit: 1 })
        expect(inside).toBe(`\n[Lines 1-1 of 2, from character ${2 * maxChars + 1}. Continue with offset 2.]`)
        expect(yield* failure(call(readFile, { path: "huge.txt", offset: 2, column: 9 }))).toEqual({
          code: "ARGUMENT_OUT_OF_RANGE",
          message: "column must be between 1 and 4, got 9.",
        })
      }),
    )
  })

  it.effect("says that an empty file is empty", () =>
    inWorkspace({ "a.txt": "" }, () =>
      Effect.gen(function* () {
        expect(yield* call(readFile, { path: "a.txt" })).toBe("[a.txt is empty.]")
      }),
    ),
  )

  it.effect("refuses lines that are not there and numbers that count from 0", () =>
    inWorkspace({ "a.txt": "one\ntwo\n" }, () =>
      Effect.gen(function* () {
        expect(yield* failure(call(readFile, { path: "a.txt", offset: 3 }))).toEqual({
          code: "LINE_OUT_OF_RANGE",
          message: "a.txt has 2 lines; there is no line 3.",
        })
        expect(yield* failure(call(readFile, { path: "a.txt", offset: 0 }))).toEqual({
          code: "ARGUMENT_OUT_OF_RANGE",
          message: "offset must be at least 1, got 0.",
        })
        expect(yield* code(call(readFile, { path: "a.txt", limit: 0 }))).toBe("ARGUMENT_OUT_OF_RANGE")
      }),
    ),
  )

  it.effect("tells a missing file from a folder and from a path outside, by code", () =>
    inWorkspace({ "src/Agent.ts": "", "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const missing = yield* failure(call(readFile, { path: "src/agnet.ts" }))
        expect(missing).toEqual({
          code: "ENOENT",
          message: 'No such file: src/agnet.ts. Nearest: "src/Agent.ts".',
        })
        expect((yield* failure(call(readFile, { path: "scr/Agent.ts" }))).message).toContain('"src"')
        expect(yield* failure(call(readFile, { path: "src" }))).toMatchObject({ code: "EISDIR" })
        expect(yield* failure(call(readFile, { path: "../outside.txt" }))).toMatchObject({
          code: "PATH_OUTSIDE_WORKSPACE",
        })
        const below = yield* failure(call(readFile, { path: "a.txt/b" }))
        expect(below.code).toBe("ENOTDIR")
        expect(below.message).not.toContain(root)
      }),
    ),
  )

  it.effect("refuses what is no UTF-8 text", () =>
    inWorkspace({ "nul.bin": "a\0b" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFile(`${root}/latin1.txt`, Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a))
        expect(yield* code(call(readFile, { path: "nul.bin" }))).toBe("FILE_NOT_TEXT")
        expect(yield* code(call(readFile, { path: "latin1.txt" }))).toBe("FILE_NOT_TEXT")
      }),
    ),
  )

  it.effect("does not follow a link that takes the file's place after the check", () =>
    inWorkspace({ "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const swapping = FileSystem.FileSystem.of({
          ...fs,
          stat: (path) =>
            fs.stat(path).pipe(
              Effect.tap(() => fs.remove(path)),
              Effect.tap(() => fs.symlink("../outside.txt", `${root}/a.txt`)),
            ),
        })
        const read = Effect.provideService(call(readFile, { path: "a.txt" }), FileSystem.FileSystem, swapping)
        expect(yield* code(read)).toBe("ELOOP")
      }),
    ),
  )

  it.live("does not wait for a pipe that takes the file's place after the check", () =>
    inWorkspace({ "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const swapping = FileSystem.FileSystem.of({
          ...fs,
          stat: (path) =>
            fs.stat(path).pipe(
              Effect.tap(() => fs.remove(path)),
              Effect.tap(() => Effect.sync(() => execFileSync("mkfifo", [`${root}/a.txt`]))),
            ),
        })
        const read = Effect.provideService(call(readFile, { path: "a.txt" }), FileSystem.FileSystem, swapping)
        expect(yield* code(read)).toBe("FILE_NOT_REGULAR")
      }),
    ),
  )

  it.effect("refuses a pipe instead of waiting for it", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        yield* call(runCommand, { command: "mkfifo pipe" })
        expect(yield* code(call(readFile, { path: "pipe" }))).toBe("FILE_NOT_REGULAR")
      }),
    ),
  )

  it.effect("reads any range of a file that no tool would hold in memory", () => {
    const lines = Array.from({ length: 90_000 }, (_, index) => `${index + 1} 😀 ${"x".repeat(190)}\n`)
    return inWorkspace({ "spill.txt": lines.join("") }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        expect(Number((yield* fs.stat(`${root}/spill.txt`)).size)).toBeGreaterThan(maxBytes)
        for (const offset of [1, 5_461, 89_999]) {
          const shown = lines.slice(offset - 1, offset + 1).join("")
          const text = yield* call(readFile, { path: "spill.txt", offset, limit: 2 })
          expect(text.startsWith(`${shown}[Lines ${offset}-${offset + 1} of 90000.`)).toBe(true)
        }
        expect(yield* failure(call(readFile, { path: "spill.txt", offset: 90_001 }))).toEqual({
          code: "LINE_OUT_OF_RANGE",
          message: "spill.txt has 90000 lines; there is no line 90001.",
        })
      }),
    )
  })

  it.effect("reads any part of a line that no tool would hold in memory", () => {
    const pairs = 4_500_000
    const length = 2 * pairs + 1
    return inWorkspace({ "line.txt": `x${"😀".repeat(pairs)}` }, () =>
      Effect.gen(function* () {
        const middle = yield* call(readFile, { path: "line.txt", column: pairs })
        expect(middle).not.toMatch(halfCharacter)
        expect(middle).toContain(`[Line 1 of 1, characters ${pairs}-${pairs + maxChars - 1} of ${length}.`)
        const end = yield* call(readFile, { path: "line.txt", column: length - 1 })
        expect(end).toBe(`😀\n[Lines 1-1 of 1, from character ${length - 1}.]`)
        expect(yield* code(call(readFile, { path: "line.txt", column: length + 1 }))).toBe(
          "ARGUMENT_OUT_OF_RANGE",
        )
      }),
    )
  })

  it.effect("refuses what is no text as soon as it comes to it, however much there is", () =>
    inWorkspace({ "huge.log": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.truncate(`${root}/huge.log`, 5 * 1024 ** 3)
        expect(yield* code(call(readFile, { path: "huge.log" }))).toBe("FILE_NOT_TEXT")
        yield* fs.writeFile(`${root}/cut.txt`, Uint8Array.of(0x61, 0xf0, 0x9f))
        expect(yield* code(call(readFile, { path: "cut.txt" }))).toBe("FILE_NOT_TEXT")
      }),
    ),
  )

  it.effect.runIf(process.platform === "linux")(
    "reads what has a text and no size, as files of the system do",
    () =>
      inWorkspace({}, () =>
        Effect.gen(function* () {
          let text = ""
          yield* textFile.scan({ absolute: "/proc/self/status", relative: "status" }, (piece) => {
            text += piece
          })
          expect(text).toContain("Pid:")
        }),
      ),
  )
})
