import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Path, PlatformError, type Scope } from "effect"
import { afterEach, beforeEach, expect } from "vitest"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { unavailable } from "../../src/store/unavailable.ts"
import * as Draft from "../session/drafts.ts"
import { number, small } from "./logs.ts"
import { jsonlIn } from "./stores.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "jsonl-store-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const withStore = <A, E>(body: (store: SessionStore["Service"]) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.suspend(() =>
    Effect.scoped(Effect.flatMap(SessionStore, body)).pipe(Effect.provide(jsonlIn(directory))),
  )

const file = () => join(directory, "s.jsonl")
const text = LogFile.encode(small)

describe("JsonlStore", () => {
  it.effect("writes rows as the contract has them, in a file that only its owner reads", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const writer = yield* store.create("s")
        yield* writer.append(small, "written")
        expect(readFileSync(file(), "utf8")).toBe(text)
        expect(statSync(file()).mode & 0o777).toBe(0o600)
      }),
    ),
  )

  it.effect("keeps accepted events back until a stronger append takes them along", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const writer = yield* store.create("s")
        yield* writer.append(small.slice(0, 2), "accepted")
        expect(readFileSync(file(), "utf8")).toBe("")
        yield* writer.append([], "written")
        expect(readFileSync(file(), "utf8")).toBe(LogFile.encode(small.slice(0, 2)))
      }),
    ),
  )

  it.effect(
    "cuts a torn tail before the first append, keeps it aside, and loses nothing, at every byte",
    () =>
      withStore((store) =>
        Effect.gen(function* () {
          const whole = Buffer.from(text)
          // Every cut through the last three lines, which a packed run and plain rows make up.
          const from = whole.lastIndexOf("\n", whole.length - 90) + 1
          for (let length = from; length < whole.length; length++) {
            const id = `cut-${length}`
            const log = join(directory, `${id}.jsonl`)
            writeFileSync(log, whole.subarray(0, length))
            const wholeBytes = whole.subarray(0, length).lastIndexOf("\n") + 1
            const opened = yield* store.open(id)
            expect(readFileSync(log).length).toBe(length)
            yield* opened.writer.append(small.slice(opened.events.length), "synced")
            expect(yield* store.read(id)).toEqual(small)
            const aside = wholeBytes === length ? undefined : `${id}.torn-1`
            expect(opened.aside).toBe(aside)
            if (aside !== undefined) {
              expect(readFileSync(join(directory, aside))).toEqual(whole.subarray(wholeBytes, length))
            }
          }
        }),
      ),
  )

  it.effect("numbers the tails that it keeps", () =>
    withStore((store) =>
      Effect.gen(function* () {
        writeFileSync(join(directory, "s.torn-1"), "an older one")
        writeFileSync(file(), text.slice(0, -5))
        const opened = yield* store.open("s")
        yield* opened.writer.append(small.slice(-1), "written")
        const [more] = number([Draft.user("more")])
        if (more !== undefined) yield* opened.writer.append([{ ...more, seq: small.length }], "written")
        expect(yield* store.read("s")).toHaveLength(small.length + 1)
        expect(opened.aside).toBe("s.torn-2")
        expect(readFileSync(join(directory, "s.torn-1"), "utf8")).toBe("an older one")
      }),
    ),
  )

  it.effect("leaves a log that it refuses as it is", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const broken = `${text}\0\0\n${text.slice(0, 20)}`
        writeFileSync(file(), broken)
        expect((yield* Effect.flip(store.open("s")))._tag).toBe("CorruptLog")
        expect(readFileSync(file(), "utf8")).toBe(broken)
        expect(readdirSync(directory)).toEqual(["s.jsonl", "s.lease"])
      }),
    ),
  )

  it.effect("lets no id leave the directory", () =>
    withStore((store) =>
      Effect.gen(function* () {
        for (const id of ["../up", "a/b", ".hidden", "", "x".repeat(129), "nul\0", "a\\b"]) {
          expect(yield* Effect.flip(store.create(id))).toMatchObject({
            _tag: "SessionIdInvalid",
            retry: "now",
          })
          expect((yield* Effect.flip(store.open(id)))._tag).toBe("SessionNotFound")
          expect(join(store.locate(id), "..")).toBe(directory)
        }
        expect(readdirSync(directory)).toEqual([])
      }),
    ),
  )

  it.effect("lists the latest first and skips what is no log", () =>
    withStore((store) =>
      Effect.gen(function* () {
        for (const [id, at] of [
          ["old", 1000],
          ["new", 3000],
          ["middle", 2000],
        ] as const) {
          writeFileSync(join(directory, `${id}.jsonl`), text)
          utimesSync(join(directory, `${id}.jsonl`), at, at)
        }
        writeFileSync(join(directory, "new.torn-1"), "x")
        symlinkSync("nowhere", join(directory, "dangling.jsonl"))
        mkdirSync(join(directory, "folder.jsonl"))
        expect((yield* store.list).map((log) => [log.id, log.updatedAt])).toEqual([
          ["new", 3_000_000],
          ["middle", 2_000_000],
          ["old", 1_000_000],
        ])
      }),
    ),
  )

  it.effect("lists nothing where no directory is, and does not make one", () =>
    Effect.gen(function* () {
      const nowhere = join(directory, "nowhere")
      const list = Effect.flatMap(SessionStore, (store) => store.list)
      expect(yield* Effect.provide(list, jsonlIn(nowhere))).toEqual([])
      expect(existsSync(nowhere)).toBe(false)
    }),
  )

  it.effect("is one holder a process, whatever store asks", () =>
    withStore((store) =>
      Effect.gen(function* () {
        yield* store.create("s")
        const second = Effect.scoped(Effect.flatMap(SessionStore, (other) => other.open("s")))
        const error = yield* Effect.flip(
          Effect.provide(second, jsonlIn(`${directory}/../${directory.split("/").at(-1)}`)),
        )
        expect(error._tag).toBe("SessionBusy")
      }),
    ),
  )
})

/** A file system on which writing to logs, or syncing them, fails. */
const failing = (method: "writeAll" | "sync", code: string) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const cause = Object.assign(new Error("no more"), { code })
      const fail = Effect.fail(
        PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method, cause }),
      )
      const open: typeof fs.open = (path, options) =>
        Effect.map(fs.open(path, options), (handle) => {
          if (!path.endsWith(".jsonl")) return handle
          const broken = method === "sync" ? { sync: fail } : { writeAll: () => fail }
          return new Proxy(handle, {
            get: (target, key) => Reflect.get({ ...broken }, key) ?? Reflect.get(target, key),
          })
        })
      return { ...fs, open }
    }),
  )

describe.each([
  ["writeAll", "ENOSPC", "write"],
  ["sync", "EIO", "sync"],
] as const)("JsonlStore when %s fails with %s", (method, code, operation) => {
  it.effect("says so with the code, never tries again, and refuses everything after it", () =>
    Effect.suspend(() => {
      const files = Layer.provideMerge(failing(method, code), jsonlIn(directory))
      const store = JsonlStore.layer({ directory }).pipe(Layer.provide(Layer.merge(files, Path.layer)))
      return Effect.gen(function* () {
        const writer = yield* Effect.flatMap(SessionStore, (it) => it.create("s"))
        const first = yield* Effect.flip(writer.append(small.slice(0, 1), "synced"))
        expect(first).toMatchObject({ _tag: "StoreUnavailable", operation, reason: code })
        expect(yield* Effect.flip(writer.append(small.slice(1, 2), "accepted"))).toBe(first)
        expect(yield* Effect.flip(writer.append([], "synced"))).toBe(first)
      }).pipe(Effect.scoped, Effect.provide(store))
    }),
  )
})

/** A file system that writes down what changes the disk, leases aside. */
const recording = (operations: Array<string>) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const open: typeof fs.open = (path, options) =>
        Effect.map(fs.open(path, options), (handle) => {
          const name = path.slice(directory.length + 1)
          const note = (what: string) =>
            Effect.sync(() => {
              if (!name.startsWith("s.lease")) operations.push(`${what} ${name}`.trim())
            })
          const noted = {
            sync: Effect.andThen(note("sync"), handle.sync),
            writeAll: (bytes: Uint8Array) => Effect.andThen(note("write"), handle.writeAll(bytes)),
            truncate: (length?: number) => Effect.andThen(note("cut"), handle.truncate(length)),
          }
          return new Proxy(handle, {
            get: (target, key) => Reflect.get(noted, key) ?? Reflect.get(target, key),
          })
        })
      return { ...fs, open }
    }),
  )

describe("what JsonlStore does to the disk", () => {
  const recorded = <A, E>(body: (store: SessionStore["Service"]) => Effect.Effect<A, E, Scope.Scope>) =>
    Effect.suspend(() => {
      const operations: Array<string> = []
      const files = Layer.provideMerge(recording(operations), jsonlIn(directory))
      const store = JsonlStore.layer({ directory }).pipe(Layer.provide(Layer.merge(files, Path.layer)))
      const run = Effect.scoped(Effect.flatMap(SessionStore, body)).pipe(Effect.provide(store))
      return Effect.as(run, operations)
    })

  it.effect(
    "syncs the directory once for the new names in it, writes a batch in one call, and syncs what is new only",
    () =>
      Effect.gen(function* () {
        const operations = yield* recorded((store) =>
          Effect.gen(function* () {
            const writer = yield* store.create("s")
            yield* writer.append(small.slice(0, 4), "accepted")
            yield* writer.append(small.slice(4, 8), "synced")
            yield* writer.append([], "synced")
            yield* writer.append(small.slice(8, 9), "written")
            yield* writer.append([], "synced")
            yield* writer.append(small.slice(9), "accepted")
          }),
        )
        expect(operations).toEqual([
          "sync",
          "write s.jsonl",
          "sync s.jsonl",
          "write s.jsonl",
          "sync s.jsonl",
          "write s.jsonl",
        ])
      }),
  )

  it.effect("syncs the name of a log that a creation left behind which broke off before it did", () =>
    Effect.gen(function* () {
      writeFileSync(file(), "")
      expect(yield* recorded((store) => store.create("s"))).toEqual(["sync s.jsonl", "sync"])
    }),
  )

  it.effect("keeps a torn tail safely before it cuts, and cuts before it writes", () =>
    Effect.gen(function* () {
      writeFileSync(file(), text.slice(0, -3))
      const operations = yield* recorded((store) =>
        Effect.flatMap(store.open("s"), ({ writer }) => writer.append(small.slice(-1), "synced")),
      )
      expect(operations).toEqual([
        "sync",
        "sync s.jsonl",
        "write s.torn-1",
        "sync s.torn-1",
        "sync",
        "cut s.jsonl",
        "sync s.jsonl",
        "write s.jsonl",
        "sync s.jsonl",
      ])
    }),
  )

  it.effect(
    "changes nothing of a log that is only opened, and syncs what its writer may have left unsynced",
    () =>
      Effect.gen(function* () {
        writeFileSync(file(), text.slice(0, -3))
        expect(yield* recorded((store) => store.open("s"))).toEqual(["sync", "sync s.jsonl"])
        expect(readFileSync(file(), "utf8")).toBe(text.slice(0, -3))
      }),
  )
})

describe("a log that somebody else changes while it is open", () => {
  const changes: ReadonlyArray<readonly [what: string, change: (file: string) => void]> = [
    ["cut", (path) => truncateSync(path, 10)],
    ["emptied", (path) => truncateSync(path, 0)],
    ["added to", (path) => appendFileSync(path, "\n")],
  ]
  it.effect.each(changes)("is %s: nothing is acknowledged any more", ([, change]) =>
    withStore((store) =>
      Effect.gen(function* () {
        const writer = yield* store.create("s")
        yield* writer.append(small.slice(0, 2), "synced")
        yield* writer.append(small.slice(2, 3), "written")
        change(file())
        const refused = yield* Effect.flip(writer.append(small.slice(3, 4), "synced"))
        expect(refused).toMatchObject({ _tag: "StoreUnavailable", operation: "check", reason: "CHANGED" })
        expect(yield* Effect.flip(writer.append(small.slice(4, 5), "written"))).toBe(refused)
      }),
    ),
  )
})

describe("a log of nothing but NUL bytes", () => {
  it.effect("is told as what it is, and can be begun again", () =>
    withStore((store) =>
      Effect.gen(function* () {
        writeFileSync(file(), new Uint8Array(4_096))
        for (const look of [Effect.asVoid(store.open("s")), Effect.asVoid(store.read("s"))])
          expect(yield* Effect.flip(look)).toMatchObject({
            _tag: "SessionNotFound",
            message: expect.stringContaining("4096 NUL bytes, as a power loss leaves it"),
          })
        const writer = yield* store.create("s")
        yield* writer.append(small, "synced")
        expect(readFileSync(file(), "utf8")).toBe(text)
      }),
    ),
  )
})

describe("what the system says of a failure", () => {
  const codes = [
    ["ENOSPC", "no space left on device, write"],
    ["EROFS", "read-only file system, open"],
    ["EACCES", "permission denied, open"],
  ] as const
  it.each(codes)("is in the message: %s", (code, words) => {
    const cause = PlatformError.systemError({
      _tag: "Unknown",
      module: "FileSystem",
      method: "writeAll",
      pathOrDescriptor: 19,
      cause: Object.assign(new Error(`${code}: ${words}`), { code }),
    })
    expect(unavailable("lease")(cause)).toMatchObject({
      operation: "lease",
      reason: code,
      message: `cannot take the lease of the session: ${code}: ${words}`,
    })
  })
})

describe("JsonlStore without permission", () => {
  // Root ignores mode bits.
  it.effect.skipIf(process.getuid?.() === 0)("names EACCES", () =>
    withStore((store) =>
      Effect.gen(function* () {
        chmodSync(directory, 0o500)
        expect(yield* Effect.flip(store.create("s"))).toMatchObject({ operation: "create", reason: "EACCES" })
      }),
    ),
  )
})
