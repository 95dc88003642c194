/** Calls that are made at once tell what those of a thread tell. */
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { it } from "@effect/vitest"
import { Effect, Exit, FileSystem, type PlatformError, type Scope } from "effect"
import { describe, expect } from "vitest"
import * as DirectFiles from "../../src/lease/DirectFiles.ts"
import { lookThrough } from "../../src/lease/Disk.ts"

const directory = mkdtempSync(join(tmpdir(), "direct-"))
const path = join(directory, "log")

describe("DirectFiles", () => {
  it.effect("writes all that it is given, short or long, in order", () =>
    Effect.gen(function* () {
      const fs = DirectFiles.fromNode(yield* FileSystem.FileSystem)
      const file = yield* fs.open(path, { flag: "ax" })
      const texts = ["one", "2".repeat(2 ** 17), "three"]
      for (const text of texts) yield* file.writeAll(new TextEncoder().encode(text))
      expect(readFileSync(path, "utf8")).toBe(texts.join(""))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )

  it.effect("opens, reads, cuts and syncs files and folders as Effect's own calls do", () =>
    Effect.gen(function* () {
      const own = yield* FileSystem.FileSystem
      const use = (fs: FileSystem.FileSystem, name: string) =>
        Effect.gen(function* () {
          const at = join(directory, name)
          const file = yield* fs.open(at, { flag: "ax", mode: 0o600 })
          yield* file.writeAll(new TextEncoder().encode("one two"))
          yield* file.truncate(3)
          yield* file.sync
          const written = yield* file.write(new TextEncoder().encode("!"))
          const { mode, nlink, size, type } = yield* file.stat
          const folder = yield* fs.open(directory, { flag: "r" })
          yield* folder.sync
          const again = yield* (yield* fs.open(at, { flag: "r" })).readAlloc(9)
          const tagOf = <A>(effect: Effect.Effect<A, PlatformError.PlatformError, Scope.Scope>) =>
            Effect.map(Effect.flip(effect), (error) => error.reason._tag)
          const fails = [
            yield* tagOf(fs.open(at, { flag: "ax" })),
            yield* tagOf(fs.open(join(at, "beneath"), { flag: "a" })),
            yield* tagOf(fs.open(join(directory, "nowhere"))),
          ]
          const folderType = (yield* folder.stat).type
          const isUnread = Exit.isFailure(yield* Effect.exit(file.readAlloc(9)))
          return { written, mode, nlink, size, type, again, fails, folderType, isUnread }
        }).pipe(Effect.scoped)
      expect(yield* use(DirectFiles.fromNode(own), "at-once")).toEqual(yield* use(own, "by-thread"))
      expect(readFileSync(join(directory, "at-once"), "utf8")).toBe("one!")
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect("closes what it opened with its scope", () =>
    Effect.gen(function* () {
      const fs = DirectFiles.fromNode(yield* FileSystem.FileSystem)
      const file = yield* Effect.scoped(fs.open(join(directory, "closed"), { flag: "a" }))
      const late = yield* Effect.flip(file.writeAll(new TextEncoder().encode("late")))
      expect(late.reason.cause).toMatchObject({ code: "EBADF" })
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect("tells of a path what Effect's own calls tell", () =>
    Effect.gen(function* () {
      const own = yield* FileSystem.FileSystem
      yield* own.writeFileString(join(directory, "seen"), "text")
      const fs = DirectFiles.fromNode(own)
      for (const name of ["seen", "missing", "seen/beneath", ".", "\0"]) {
        const at = join(directory, name)
        const tagOf = (files: FileSystem.FileSystem) =>
          Effect.match(files.stat(at), { onFailure: (error) => error.reason._tag, onSuccess: (info) => info })
        expect(yield* tagOf(fs)).toEqual(yield* tagOf(own))
        expect(yield* Effect.exit(fs.exists(at))).toEqual(yield* Effect.exit(own.exists(at)))
      }
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect("sees at a path what a look by a thread sees", () =>
    Effect.gen(function* () {
      const own = yield* FileSystem.FileSystem
      yield* own.writeFileString(join(directory, "looked-at"), "text")
      for (const name of ["looked-at", "missing", ".", "\0"]) {
        const at = join(directory, name)
        const seen = yield* Effect.exit(DirectFiles.look(own)(at))
        expect(seen).toEqual(yield* Effect.exit(lookThrough(own)(at)))
      }
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect("does to names what Effect's own calls do, and fails as they fail", () =>
    Effect.gen(function* () {
      const own = yield* FileSystem.FileSystem
      /** Every call in a folder of its own, where it can be made, and again, where most cannot. */
      const story = (fs: FileSystem.FileSystem, base: string) => {
        const at = (name: string) => join(base, name)
        const calls: ReadonlyArray<Effect.Effect<unknown, PlatformError.PlatformError>> = [
          Effect.asVoid(fs.makeDirectory(at("deep/er"), { recursive: true })),
          fs.makeDirectory(at("folder")),
          fs.link(at("text"), at("folder/linked")),
          fs.readDirectory(at("folder")),
          fs.readDirectory(base, { recursive: true }),
          fs.readFileString(at("text")),
          fs.readLink(at("pointer")),
          fs.remove(at("folder/linked")),
          fs.remove(at("folder/linked"), { force: true }),
          fs.remove(at("deep")),
          fs.remove(at("deep"), { recursive: true }),
          fs.link(at("nowhere"), at("text")),
          fs.readDirectory(at("text")),
          fs.readFileString(at("nowhere")),
          fs.readLink(at("text")),
        ]
        const prepare = Effect.all([
          own.makeDirectory(base),
          own.writeFileString(at("text"), "\u00e9\u{1f600}"),
          own.symlink("text", at("pointer")),
        ])
        const told = (call: Effect.Effect<unknown, PlatformError.PlatformError>) =>
          Effect.match(call, {
            onFailure: ({ reason }) => `${reason._tag} ${reason.method}`,
            onSuccess: (value) => (Array.isArray(value) ? value.toSorted() : value),
          })
        return Effect.andThen(prepare, Effect.forEach([...calls, ...calls], told))
      }
      const direct = yield* story(DirectFiles.fromNode(own), join(directory, "direct"))
      expect(direct).toEqual(yield* story(own, join(directory, "own")))
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect.skipIf(process.platform !== "linux")("fails with what the system says when a write fails", () =>
    Effect.gen(function* () {
      const fs = DirectFiles.fromNode(yield* FileSystem.FileSystem)
      const file = yield* fs.open("/dev/full", { flag: "a" })
      const error = yield* Effect.flip(file.writeAll(new Uint8Array([1])))
      expect(error.reason.cause).toMatchObject({ code: "ENOSPC" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})
