import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { describe, expect } from "vitest"
import { listFiles, maxPaths } from "../../src/toolkit/ListFiles.ts"
import { maxEntriesVisited } from "../../src/toolkit/walk.ts"
import { call, code, failure, inWorkspace } from "./temporary.ts"

const project = {
  "README.md": "",
  "src/a.ts": "",
  "src/deep/b.ts": "",
  "src/deep/b.test.ts": "",
  ".github/ci.yml": "",
  ".git/config": "",
  "node_modules/effect/index.ts": "",
  ".effect-harness/outputs/0.txt": "",
}

const list = (args: object) => Effect.map(call(listFiles, args), (text) => text.split("\n"))

describe("list_files", () => {
  it.effect("lists everything but .git, node_modules and .effect-harness, sorted", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* list({})).toEqual([
          ".github/ci.yml",
          "README.md",
          "src/a.ts",
          "src/deep/b.test.ts",
          "src/deep/b.ts",
        ])
      }),
    ),
  )

  it.effect("matches a pattern without slash at any depth, and one with slash from the folder", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* list({ pattern: "b*.ts" })).toEqual(["src/deep/b.test.ts", "src/deep/b.ts"])
        expect(yield* list({ pattern: "src/*.ts" })).toEqual(["src/a.ts"])
        expect(yield* list({ pattern: "./src/*.ts" })).toEqual(["src/a.ts"])
        expect(yield* list({ pattern: "**/*.{md,yml}" })).toEqual([".github/ci.yml", "README.md"])
        expect(yield* list({ pattern: "deep/*", path: "src" })).toEqual([
          "src/deep/b.test.ts",
          "src/deep/b.ts",
        ])
      }),
    ),
  )

  it.effect("looks into a skipped folder when it is named", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* list({ path: "node_modules" })).toEqual(["node_modules/effect/index.ts"])
        expect(yield* list({ pattern: ".git/**" })).toEqual([".git/config"])
      }),
    ),
  )

  it.effect("says what the folder holds when nothing matches", () =>
    inWorkspace(project, () =>
      Effect.gen(function* () {
        expect(yield* call(listFiles, { pattern: "*.py", path: "src" })).toBe(
          "[No file matches *.py. The folder src holds a.ts, deep/.]",
        )
      }),
    ),
  )

  it.effect("cuts a long list and says how much is missing", () =>
    inWorkspace(
      Object.fromEntries(Array.from({ length: maxPaths + 3 }, (_, index) => [`many/${index}.txt`, ""])),
      () =>
        Effect.gen(function* () {
          const lines = yield* list({})
          expect(lines).toHaveLength(maxPaths + 1)
          expect(lines.at(-1)).toBe("[3 more files match. Narrow the pattern or the path.]")
        }),
    ),
  )

  it.effect("gives up on a tree without end, and says so", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const endless = FileSystem.FileSystem.of({
          ...fs,
          readDirectoryEntries: () =>
            Effect.succeed([
              ...Array.from({ length: 999 }, (_, index) => ({ name: `${index}.txt`, type: "File" as const })),
              { name: "deeper", type: "Directory" },
            ]),
        })
        const found = Effect.provideService(list({ pattern: "7.txt" }), FileSystem.FileSystem, endless)
        const lines = yield* found
        expect(lines).toHaveLength(maxEntriesVisited / 1000 + 1)
        expect(lines.at(-1)).toBe(
          `[Stopped after ${maxEntriesVisited} entries; there may be more. Narrow the path.]`,
        )
      }),
    ),
  )

  it.effect("never leaves the workspace, by pattern, path or link", () =>
    inWorkspace({ "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("..", `${root}/up`)
        expect(yield* list({})).toEqual(["a.txt", "up"])
        for (const pattern of ["../*", "up/*", "up/**", "/**", `${root}/../*`]) {
          expect(yield* call(listFiles, { pattern })).not.toContain("outside.txt")
        }
        expect(yield* code(call(listFiles, { path: "up" }))).toBe("PATH_OUTSIDE_WORKSPACE")
      }),
    ),
  )

  it.effect("tells a missing folder from a file", () =>
    inWorkspace({ "a.txt": "" }, () =>
      Effect.gen(function* () {
        expect(yield* failure(call(listFiles, { path: "nowhere" }))).toMatchObject({ code: "ENOENT" })
        expect(yield* failure(call(listFiles, { path: "a.txt" }))).toMatchObject({ code: "ENOTDIR" })
      }),
    ),
  )
})
