import * as NodeServices from "@effect/platform-node/NodeServices"
import { it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { describe, expect } from "vitest"
import { editFile } from "../../src/toolkit/EditFile.ts"
import { listFiles } from "../../src/toolkit/ListFiles.ts"
import { readFile } from "../../src/toolkit/ReadFile.ts"
import { searchText } from "../../src/toolkit/SearchText.ts"
import * as Workspace from "../../src/toolkit/Workspace.ts"
import { writeFile } from "../../src/toolkit/WriteFile.ts"
import { call, code, failure, inWorkspace } from "./temporary.ts"

const resolve = (path: string) => Effect.flatMap(Workspace.Workspace, (workspace) => workspace.resolve(path))

describe("making a workspace", () => {
  it.effect("fails with its own code when the folder is missing or a file", () =>
    inWorkspace({ "file.txt": "" }, (root) =>
      Effect.gen(function* () {
        const missing = yield* failure(Workspace.make(`${root}/nowhere`))
        expect(missing.code).toBe("WORKSPACE_UNUSABLE")
        expect(missing.message).toContain("does not exist")
        const file = yield* failure(Workspace.make(`${root}/file.txt`))
        expect(file.code).toBe("WORKSPACE_UNUSABLE")
        expect(file.message).toContain("is not a folder")
      }),
    ),
  )

  it.effect("takes a root that is a link, and means the folder behind it", () =>
    inWorkspace({ "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink(root, `${root}-link`)
        const workspace = yield* Workspace.make(`${root}-link`)
        expect(workspace.root).toBe(root)
        expect((yield* workspace.resolve("a.txt")).absolute).toBe(`${root}/a.txt`)
      }),
    ),
  )
})

describe("a path inside", () => {
  it.effect("is shown relative, however it was written", () =>
    inWorkspace({ "src/a.ts": "" }, (root) =>
      Effect.gen(function* () {
        for (const path of ["src/a.ts", "./src//a.ts", "src/../src/a.ts", `${root}/src/a.ts`]) {
          expect(yield* resolve(path)).toEqual({ absolute: `${root}/src/a.ts`, relative: "src/a.ts" })
        }
        for (const path of [".", "", "src/..", root]) {
          expect((yield* resolve(path)).relative).toBe(".")
        }
      }),
    ),
  )

  it.effect("need not exist yet", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const { absolute } = yield* resolve("new/deep/file.txt")
        expect(absolute).toBe(`${root}/new/deep/file.txt`)
      }),
    ),
  )

  it.effect("may begin with dots that are no way up", () =>
    inWorkspace({ "..hidden": "", "...": "" }, () =>
      Effect.gen(function* () {
        expect((yield* resolve("..hidden")).relative).toBe("..hidden")
        expect((yield* resolve("...")).relative).toBe("...")
      }),
    ),
  )

  it.effect("may go through a link that stays inside", () =>
    inWorkspace({ "real/a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("real", `${root}/link`)
        yield* fs.symlink("real/later.txt", `${root}/dangling`)
        expect(yield* resolve("link/a.txt")).toEqual({
          absolute: `${root}/real/a.txt`,
          relative: "link/a.txt",
        })
        expect((yield* resolve("dangling")).absolute).toBe(`${root}/real/later.txt`)
      }),
    ),
  )
})

describe("a path outside", () => {
  const escapes: ReadonlyArray<readonly [string, (root: string) => string]> = [
    ["goes up", () => "../outside.txt"],
    ["goes down and further up", () => "src/../../outside.txt"],
    ["is the folder above", () => ".."],
    ["is absolute", () => "/etc/passwd"],
    ["is the root of the file system", () => "/"],
    ["is a neighbour whose name begins alike", (root) => `${root}-evil/file.txt`],
    ["differs in case", (root) => root.replace(/ws$/, "WS/file.txt")],
    ["is a link to a file outside", () => "link-file"],
    ["is below a link to a folder outside", () => "link-folder/outside.txt"],
    ["is new below a link to a folder outside", () => "link-folder/new/deep.txt"],
    ["is a link to nothing outside", () => "link-nothing"],
    ["is below a link to nothing outside", () => "link-nothing/new.txt"],
    ["is a link to a link that leads outside", () => "link-link"],
    ["is a relative link that climbs out", () => "src/link-climbs"],
    ["is a dangling link that climbs out", () => "src/link-climbs-nowhere"],
    ["is below a file outside", () => "../outside.txt/x"],
    ["is below a link to a file outside", () => "link-file/x"],
    ["holds a NUL", () => "src\0/../../outside.txt"],
    ["is a NUL", () => "\0"],
  ]

  it.effect.each(escapes)("that %s is refused", ([, pathIn]) =>
    inWorkspace({ "src/a.ts": "" }, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { dirname } = yield* Path.Path
        const base = dirname(root)
        yield* fs.makeDirectory(`${root}-evil`)
        yield* fs.writeFileString(`${root}-evil/file.txt`, "")
        yield* fs.symlink(`${base}/outside.txt`, `${root}/link-file`)
        yield* fs.symlink(base, `${root}/link-folder`)
        yield* fs.symlink(`${base}/nothing`, `${root}/link-nothing`)
        yield* fs.symlink("link-file", `${root}/link-link`)
        yield* fs.symlink("../../outside.txt", `${root}/src/link-climbs`)
        yield* fs.symlink("../../nothing/deep", `${root}/src/link-climbs-nowhere`)
        const path = pathIn(root)
        const refused = yield* failure(resolve(path))
        expect(refused.code).toBe("PATH_OUTSIDE_WORKSPACE")
        expect(refused.message.replace(JSON.stringify(path), "")).not.toContain(base)
      }),
    ),
  )

  it.effect("is refused when it is too long, before anything looks for it", () =>
    inWorkspace({}, () =>
      Effect.gen(function* () {
        const long = yield* failure(resolve("a/".repeat(30_000)))
        expect(long.code).toBe("ENAMETOOLONG")
        expect(long.message).toContain(`at most ${Workspace.maxPathLength}`)
        expect((yield* resolve("a/".repeat(Workspace.maxPathLength / 2))).relative).toMatch(/^a\/a/)
        expect(yield* code(call(readFile, { path: "a".repeat(300) }))).toBe("ENAMETOOLONG")
      }),
    ),
  )

  it.effect("is refused when links go in a circle, without hanging", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("b", `${root}/a`)
        yield* fs.symlink("a", `${root}/b`)
        expect(yield* code(resolve("a/file.txt"))).toBe("ELOOP")
      }),
    ),
  )
})

describe("a reserved folder", () => {
  const logs = ".effect-harness/sessions"
  const files = { [`${logs}/s.jsonl`]: "secret\n", ".effect-harness/outputs/o.txt": "secret\n" }

  it.effect("is closed to every tool on files, by every way there", () =>
    inWorkspace(files, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink(logs, `${root}/link`)
        const ways = [`${logs}/s.jsonl`, "link/s.jsonl", `${root}/${logs}/s.jsonl`, `${logs}/s.lease/2`]
        for (const path of ways) {
          expect(yield* code(call(readFile, { path }))).toBe("PATH_RESERVED")
          expect(yield* code(call(writeFile, { path, content: "" }))).toBe("PATH_RESERVED")
          expect(yield* code(call(editFile, { path, old_text: "secret", new_text: "" }))).toBe(
            "PATH_RESERVED",
          )
        }
        expect(yield* code(call(listFiles, { path: logs }))).toBe("PATH_RESERVED")
        expect(yield* code(call(searchText, { query: "secret", path: "link" }))).toBe("PATH_RESERVED")
        expect(yield* fs.readFileString(`${root}/${logs}/s.jsonl`)).toBe("secret\n")
        expect(yield* fs.readDirectory(`${root}/${logs}`)).toEqual(["s.jsonl"])
      }).pipe(Effect.provide(Workspace.layer(root, { reserved: [`${root}/${logs}`] }))),
    ),
  )

  it.effect("is left out where its neighbours are listed and searched", () =>
    inWorkspace(files, (root) =>
      Effect.gen(function* () {
        const path = ".effect-harness"
        expect(yield* call(listFiles, { path })).toBe(`${path}/outputs/o.txt`)
        expect(yield* call(listFiles, { pattern: `${path}/**` })).toBe(`${path}/outputs/o.txt`)
        expect(yield* call(searchText, { query: "secret", path })).toBe(`${path}/outputs/o.txt:1:secret`)
      }).pipe(Effect.provide(Workspace.layer(root, { reserved: [`${root}/${logs}`] }))),
    ),
  )

  it.effect("need not exist yet, nor be given by its real name", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink(root, `${root}-link`)
        const workspace = yield* Workspace.make(root, { reserved: [`${root}-link/logs`] })
        expect(yield* code(workspace.resolve("logs"))).toBe("PATH_RESERVED")
        expect(yield* code(workspace.resolve("logs/new/s.jsonl"))).toBe("PATH_RESERVED")
        expect((yield* workspace.resolve("logs-of-mine/a.txt")).relative).toBe("logs-of-mine/a.txt")
      }),
    ),
  )

  it.effect("is closed however its name is spelt, for disks that take both for one", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const workspace = yield* Workspace.make(root, { reserved: [`${root}/Für-logs`] })
        for (const path of ["für-LOGS/s.jsonl", "FU\u0308R-logs"]) {
          expect(yield* code(workspace.resolve(path))).toBe("PATH_RESERVED")
        }
      }),
    ),
  )

  it.effect("changes nothing when it lies outside, and cannot be the whole workspace", () =>
    inWorkspace({ "a.txt": "" }, (root) =>
      Effect.gen(function* () {
        const beside = yield* Workspace.make(root, { reserved: [`${root}/..`, `${root}-logs`] })
        expect((yield* beside.resolve("a.txt")).relative).toBe("a.txt")
        const whole = yield* failure(Workspace.make(root, { reserved: [root] }))
        expect(whole.code).toBe("WORKSPACE_UNUSABLE")
        expect(whole.message).toContain("reserved as a whole")
      }),
    ),
  )
})

it.effect("changes run one at a time", () =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.make(".")
    let running = 0
    let most = 0
    const change = Effect.gen(function* () {
      most = Math.max(most, ++running)
      yield* Effect.yieldNow
      running--
    })
    yield* Effect.all(
      Array.from({ length: 5 }, () => workspace.exclusively(change)),
      { concurrency: "unbounded" },
    )
    expect(most).toBe(1)
  }).pipe(Effect.provide(NodeServices.layer)),
)
