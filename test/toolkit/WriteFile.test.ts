import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { describe, expect } from "vitest"
import { writeFile } from "../../src/toolkit/WriteFile.ts"
import { call, code, failure, inWorkspace } from "./temporary.ts"

describe("write_file", () => {
  it.effect("creates a file with its folders and counts bytes, not characters", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        expect(yield* call(writeFile, { path: "new/deep/ü.txt", content: "ü\n" })).toBe(
          "Created new/deep/ü.txt (3 bytes).",
        )
        expect(yield* fs.readFileString(`${root}/new/deep/ü.txt`)).toBe("ü\n")
      }),
    ),
  )

  it.effect("replaces a file, keeps its mode and leaves nothing beside it", () =>
    inWorkspace({ "run.sh": "old text" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.chmod(`${root}/run.sh`, 0o750)
        expect(yield* call(writeFile, { path: "run.sh", content: "new" })).toBe(
          "Overwrote run.sh (3 bytes, 8 before).",
        )
        expect((yield* fs.stat(`${root}/run.sh`)).mode & 0o777).toBe(0o750)
        expect(yield* fs.readDirectory(root)).toEqual(["run.sh"])
      }),
    ),
  )

  it.effect("refuses half a character rather than write another", () =>
    inWorkspace({ "a.txt": "old" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const refused = yield* failure(call(writeFile, { path: "a.txt", content: "a\ud800b" }))
        expect(refused.code).toBe("TEXT_NOT_WELL_FORMED")
        expect(refused.message).toContain("content holds half")
        expect(yield* fs.readFileString(`${root}/a.txt`)).toBe("old")
      }),
    ),
  )

  it.effect("does not pass on the rights of a set-uid program to a new text", () =>
    inWorkspace({ "run.sh": "old" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.chmod(`${root}/run.sh`, 0o6755)
        yield* call(writeFile, { path: "run.sh", content: "new" })
        expect((yield* fs.stat(`${root}/run.sh`)).mode & 0o7777).toBe(0o755)
      }),
    ),
  )

  it.effect("writes through a link inside, and the link stays", () =>
    inWorkspace({ "real.txt": "old" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("real.txt", `${root}/link.txt`)
        yield* call(writeFile, { path: "link.txt", content: "new" })
        expect(yield* fs.readLink(`${root}/link.txt`)).toBe("real.txt")
        expect(yield* fs.readFileString(`${root}/real.txt`)).toBe("new")
      }),
    ),
  )

  it.effect("writes nothing outside, whatever the link", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("../outside.txt", `${root}/file`)
        yield* fs.symlink("../nothing.txt", `${root}/dangling`)
        yield* fs.symlink("..", `${root}/folder`)
        for (const path of ["../new.txt", "file", "dangling", "folder/new.txt", "folder/a/b.txt"]) {
          expect(yield* code(call(writeFile, { path, content: "x" }))).toBe("PATH_OUTSIDE_WORKSPACE")
        }
        expect((yield* fs.readDirectory(`${root}/..`)).sort()).toEqual(["outside.txt", "ws"])
        expect(yield* fs.readFileString(`${root}/../outside.txt`)).toBe("secret\n")
      }),
    ),
  )

  it.effect("refuses a folder and a path through a file", () =>
    inWorkspace({ "src/a.ts": "" }, () =>
      Effect.gen(function* () {
        expect(yield* code(call(writeFile, { path: "src", content: "" }))).toBe("EISDIR")
        expect(yield* code(call(writeFile, { path: ".", content: "" }))).toBe("EISDIR")
        expect(yield* code(call(writeFile, { path: "new/", content: "" }))).toBe("EISDIR")
        expect(yield* code(call(writeFile, { path: "src/a.ts/b", content: "" }))).toBe("ENOTDIR")
      }),
    ),
  )

  it.effect("leaves the old text when the new one cannot be put in its place", () =>
    inWorkspace({ "a.txt": "old" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const full = FileSystem.FileSystem.of({
          ...fs,
          rename: (from) => fs.readFileString(`${from}/x`).pipe(Effect.asVoid),
        })
        const refused = call(writeFile, { path: "a.txt", content: "new" }).pipe(
          Effect.provideService(FileSystem.FileSystem, full),
        )
        expect(yield* code(refused)).toBe("ENOTDIR")
        expect(yield* fs.readFileString(`${root}/a.txt`)).toBe("old")
        expect(yield* fs.readDirectory(root)).toEqual(["a.txt"])
      }),
    ),
  )
})
