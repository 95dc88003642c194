import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Path, PlatformError, Scope } from "effect"
import { afterEach, beforeEach, expect } from "vitest"
import { lookThrough } from "../../src/lease/Disk.ts"
import { Held, type Lease, take } from "../../src/lease/Lease.ts"
import { elsewhere, other, putLease } from "./holders.ts"

let base = ""
let directory = ""
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "lease-"))
  directory = join(base, "s.lease")
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

interface How {
  readonly mayTake?: boolean
  readonly change?: (fs: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>
}

const taking = ({ mayTake = false, change }: How = {}) =>
  Effect.gen(function* () {
    const real = yield* FileSystem.FileSystem
    const fs = { ...real, ...change?.(real) }
    const disk = { fs, path: yield* Path.Path, sync: "full", look: lookThrough(fs) } as const
    return yield* take({ disk, directory, mayTake: () => Effect.succeed(mayTake) })
  }).pipe(Effect.provide(NodeServices.layer))

/** Take it, use it, let it go. */
const using = <A>(use: (lease: Lease) => Effect.Effect<A, unknown>, how: How = {}) =>
  Effect.scoped(Effect.flatMap(taking(how), use))

const refusal = (how: How = {}) =>
  Effect.map(Effect.flip(Effect.scoped(taking(how))), (error) => (error instanceof Held ? error : undefined))

const names = () => readdirSync(directory).sort()

describe("a lease", () => {
  it.effect("counts up, never down, and clears away those before it", () =>
    Effect.gen(function* () {
      for (const number of [1, 2, 3]) {
        yield* using((lease) =>
          Effect.gen(function* () {
            expect(lease).toMatchObject({ number, isAlone: true })
            expect(yield* lease.check).toBe("mine")
            yield* lease.prune
            expect(names()).toEqual([String(number)])
          }),
        )
      }
    }),
  )

  it.effect("is not taken twice in one process, whatever one may do", () =>
    using(() =>
      Effect.gen(function* () {
        expect(yield* refusal({ mayTake: true })).toMatchObject({
          standing: "own",
          holder: { pid: process.pid },
        })
        expect(names()).toEqual(["1"])
      }),
    ),
  )

  it.effect("names who has it", () =>
    Effect.gen(function* () {
      putLease(directory, 7, elsewhere)
      expect(yield* refusal()).toMatchObject({ standing: "unknown", holder: elsewhere })
      const living = yield* other()
      putLease(directory, 8, living)
      expect(yield* refusal()).toMatchObject({ standing: "alive", holder: living })
    }),
  )

  it.effect.each(["", "{}", '{"host":"h","pid":0}', "\0\0\0\0", '{"host":'])(
    "that holds %j is held by nobody knows whom, and is taken only where one may",
    (text) =>
      Effect.gen(function* () {
        putLease(directory, 3, text)
        expect(yield* refusal()).toMatchObject({ standing: "unknown" })
        yield* using(
          (lease) => Effect.sync(() => expect(lease).toMatchObject({ number: 4, isAlone: false })),
          {
            mayTake: true,
          },
        )
      }),
  )

  it.effect.skipIf(process.platform !== "linux")("of a dead process is taken, and leaves nobody behind", () =>
    Effect.gen(function* () {
      putLease(directory, 1, yield* other({ start: "1" }))
      yield* using((lease) => Effect.sync(() => expect(lease).toMatchObject({ number: 2, isAlone: true })))
    }),
  )

  it.effect("after a failed write, or one that was taken by force, leaves a writer behind", () =>
    Effect.gen(function* () {
      yield* using((lease) => Effect.sync(lease.spoil))
      yield* using((lease) => Effect.sync(() => expect(lease).toMatchObject({ number: 2, isAlone: false })))
      putLease(directory, 3, elsewhere)
      putLease(directory, 4, yield* other(), '{"released":"whole"}')
      yield* using((lease) => Effect.sync(() => expect(lease).toMatchObject({ number: 5, isAlone: false })))
    }),
  )

  it.effect(
    "is taken from us as soon as a next one is there, and missing when ours is gone or another file",
    () =>
      using((lease) =>
        Effect.gen(function* () {
          putLease(directory, 2, elsewhere)
          expect(yield* lease.check).toBe("taken")
          rmSync(join(directory, "2"))
          expect(yield* lease.check).toBe("mine")
          const own = join(directory, "1")
          writeFileSync(`${own}.copy`, readFileSync(own))
          renameSync(`${own}.copy`, own)
          expect(yield* lease.check).toBe("missing")
          rmSync(directory, { recursive: true })
          expect(yield* lease.check).toBe("missing")
        }),
      ),
  )

  it.effect("is lost when its number comes from before the others took and cleared theirs", () =>
    Effect.gen(function* () {
      putLease(directory, 1, elsewhere, '{"released":"whole"}')
      const change = (fs: FileSystem.FileSystem) => ({
        link: (from: string, to: string) => {
          // Between our look and our link, somebody takes 2, somebody else 3 and clears 1 and 2 away.
          if (to.endsWith("/2")) {
            putLease(directory, 3, elsewhere)
            rmSync(join(directory, "1"))
          }
          return fs.link(from, to)
        },
      })
      expect(yield* refusal({ change })).toMatchObject({ standing: "unknown", holder: elsewhere })
      expect(names()).toEqual(["3"])
    }),
  )

  it.effect("leaves no draft and holds nothing when it cannot be linked", () =>
    Effect.gen(function* () {
      const broken = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "link" })
      const scope = yield* Scope.make()
      const failing = Scope.provide(taking({ change: () => ({ link: () => Effect.fail(broken) }) }), scope)
      expect(yield* Effect.flip(failing)).toBe(broken)
      expect(names()).toEqual([])
      yield* using((lease) => Effect.sync(() => expect(lease.number).toBe(1)))
      yield* Scope.close(scope, Exit.void)
    }),
  )

  it.effect("clears away the drafts of those who died before they could link", () =>
    Effect.gen(function* () {
      putLease(directory, 1, elsewhere, '{"released":"whole"}')
      writeFileSync(join(directory, "1.draft"), "half of a le")
      writeFileSync(join(directory, "9.draft"), "somebody is at it")
      yield* using((lease) => lease.prune)
      expect(names()).toEqual(["2", "9.draft"])
    }),
  )

  it.effect("clears away the lowest first, and stops at the first that stays", () =>
    Effect.gen(function* () {
      for (const number of [2, 9, 10, 11]) putLease(directory, number, elsewhere, '{"released":"whole"}')
      const removed: Array<string> = []
      const denied = PlatformError.systemError({
        _tag: "PermissionDenied",
        module: "FileSystem",
        method: "remove",
      })
      const change = (fs: FileSystem.FileSystem) => ({
        remove: (path: string, options?: Parameters<typeof fs.remove>[1]) =>
          Effect.suspend(() => {
            const name = path.slice(directory.length + 1)
            if (!/^\d+$/.test(name)) return fs.remove(path, options)
            removed.push(name)
            return name === "10" ? Effect.fail(denied) : fs.remove(path, options)
          }),
      })
      yield* using((lease) => lease.prune, { change })
      expect(removed).toEqual(["2", "9", "10"])
      expect(names()).toEqual(["10", "11", "12"])
    }),
  )

  it.effect("is not ours when a next one came and went between the two looks of a check", () => {
    const change = (fs: FileSystem.FileSystem) => ({
      stat: (path: string) =>
        Effect.ensuring(
          fs.stat(path),
          Effect.sync(() => {
            if (path !== join(directory, "2")) return
            rmSync(join(directory, "1"))
            putLease(directory, 3, elsewhere)
          }),
        ),
    })
    return using((lease) => Effect.map(lease.check, (state) => expect(state).toBe("missing")), { change })
  })
})
