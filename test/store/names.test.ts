/** Every name that the store makes survives a power loss before anybody hears that something stands under it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { describe, expect } from "vitest"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { holdElsewhere } from "./elsewhere.ts"
import { small } from "./logs.ts"

interface Trace {
  readonly made: Array<string>
  readonly synced: Array<string>
}

/** A file system that notes which names were made, and which of their directories were synced after that. */
const traced = (fs: FileSystem.FileSystem, { made, synced }: Trace): FileSystem.FileSystem => ({
  ...fs,
  link: (from, to) => Effect.tap(fs.link(from, to), () => Effect.sync(() => void made.push(to))),
  makeDirectory: (path, options) =>
    Effect.tap(fs.makeDirectory(path, options), () => Effect.sync(() => void made.push(path))),
  open: (path, options) =>
    Effect.map(fs.open(path, options), (file) => {
      if (options?.flag === "ax" || options?.flag === "wx") made.push(path)
      return new Proxy(file, {
        get: (target, key) =>
          key === "sync"
            ? Effect.tap(target.sync, () => Effect.sync(() => void synced.push(path)))
            : Reflect.get(target, key),
      })
    }),
})

const storeIn = (directory: string, options: Partial<JsonlStore.Options>, trace: Trace) =>
  JsonlStore.layer({ directory, ...options }).pipe(
    Layer.provide(
      Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (fs) => traced(fs, trace)),
      ),
    ),
    Layer.provideMerge(NodeServices.layer),
  )

const inDirectory = <A, E>(body: (directory: string) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "names-"))),
    (base) => body(join(base, "new", "sessions")),
    (base) => Effect.sync(() => rmSync(base, { recursive: true })),
  )

describe("names on the medium", () => {
  it.live("are synced with their directory when a session is created", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const trace: Trace = { made: [], synced: [] }
        const create = Effect.gen(function* () {
          yield* (yield* SessionStore).create("s")
          return { ...trace, synced: new Set(trace.synced) }
        })
        const { made, synced } = yield* Effect.scoped(create).pipe(
          Effect.provide(storeIn(directory, {}, trace)),
        )
        expect(made).toContain(join(directory, "s.jsonl"))
        expect(made).toContain(join(directory, "s.lease", "1"))
        for (const name of made.filter((one) => !one.includes(".lease/1.")))
          expect(synced).toContain(dirname(name))
      }),
    ),
  )

  it.live("are synced with their directory when a session is taken over into a file of its own", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const none: Trace = { made: [], synced: [] }
        const trace: Trace = { made: [], synced: [] }
        const open = Effect.gen(function* () {
          yield* (yield* SessionStore).open("s")
          return { ...trace, synced: new Set(trace.synced) }
        })
        const hold = Effect.gen(function* () {
          const writer = yield* (yield* SessionStore).create("s")
          yield* writer.append(small, "synced")
        })
        yield* Effect.scoped(hold).pipe(Effect.provide(storeIn(directory, {}, none)))
        holdElsewhere(directory)
        const { made, synced } = yield* Effect.scoped(open).pipe(
          Effect.provide(storeIn(directory, { force: true }, trace)),
        )
        const copy = made.find((name) => /s~\d+\.jsonl$/.test(name))
        expect(copy).toBeDefined()
        expect(synced).toContain(directory)
        expect(synced).toContain(join(directory, "s.lease"))
        // The copy is whole before it has its name: what was written of it went to its draft, and was synced there.
        expect([...synced].some((name) => /s\.lease\/\d+\./.test(name))).toBe(true)
      }),
    ),
  )
})
