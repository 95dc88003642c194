/** Calls that are made at once tell what those of a thread tell. */
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { describe, expect } from "vitest"
import * as DirectFiles from "../../src/lease/DirectFiles.ts"

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

  it.effect.skipIf(process.platform !== "linux")("fails with what the system says when a write fails", () =>
    Effect.gen(function* () {
      const fs = DirectFiles.fromNode(yield* FileSystem.FileSystem)
      const file = yield* fs.open("/dev/full", { flag: "a" })
      const error = yield* Effect.flip(file.writeAll(new Uint8Array([1])))
      expect(error.reason.cause).toMatchObject({ code: "ENOSPC" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})
