/** One log, two processes: who may write, where the log goes on, and what the other one hears. */
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, expect } from "vitest"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { elsewhere, other, putLease } from "../lease/holders.ts"
import * as Draft from "../session/drafts.ts"
import { small } from "./logs.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "takeover-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const text = LogFile.encode(small)
const at = (name: string) => join(directory, name)
const leases = () => at("s.lease")
const names = () => readdirSync(directory).sort()

type Options = Omit<JsonlStore.Options, "directory">
type Change = (fs: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>

const storeWith = (options: Options = {}, change: Change = () => ({})) => {
  const files = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, ...change(fs) })),
  )
  return Layer.suspend(() => JsonlStore.layer({ directory, ...options })).pipe(
    Layer.provide(Layer.provideMerge(files, NodeServices.layer)),
  )
}

const use = <A, E>(
  body: (store: SessionStore["Service"]) => Effect.Effect<A, E, Scope.Scope>,
  options?: Options,
  change?: Change,
) => Effect.scoped(Effect.flatMap(SessionStore, body)).pipe(Effect.provide(storeWith(options, change)))

const open = (store: SessionStore["Service"]) => store.open("s")
const add = (session: Session, id: string) => session.append("synced", () => [Draft.user(id)])

describe("a session that somebody else has", () => {
  it.effect("is busy, and says who has it and since when", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      const holder = yield* other({ since: Date.UTC(2026, 0, 2) })
      putLease(leases(), 4, holder)
      const error = yield* Effect.flip(use(open))
      expect(error).toMatchObject({
        _tag: "SessionBusy",
        holder: { host: holder.host, pid: process.pid, since: holder.since },
        message: `session s is held by process ${process.pid} on ${holder.host} since 2026-01-02T00:00:00.000Z`,
      })
      expect(readFileSync(at("s.jsonl"), "utf8")).toBe(text)
    }),
  )

  it.effect("is read meanwhile, without the line that is being written", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), `${text}{"seq":13,"at":1,"ty`)
      putLease(leases(), 1, yield* other())
      expect(yield* use((store) => store.read("s"))).toEqual(small)
    }),
  )

  it.effect("stays busy when its holder cannot be looked at, until one waited as long as one wants to", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      putLease(leases(), 1, { ...elsewhere, since: 100_000 })
      utimesSync(at("s.jsonl"), 200, 200)
      yield* TestClock.setTime(260_000)
      const error = yield* Effect.flip(use(open))
      expect(error.message).toMatch(/whether it still lives cannot be seen from here$/)
      expect((yield* Effect.flip(use(open, { stealAfter: "61 seconds" })))._tag).toBe("SessionBusy")
      expect((yield* use(open, { stealAfter: "1 minute" })).location).toBe(at("s~2.jsonl"))
      // Whoever has just taken it may not have written yet.
      putLease(leases(), 3, { ...elsewhere, since: 250_000 })
      utimesSync(at("s~2.jsonl"), 200, 200)
      expect((yield* Effect.flip(use(open, { stealAfter: "1 minute" })))._tag).toBe("SessionBusy")
    }),
  )

  it.effect("is not taken by patience from a process that lives", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      putLease(leases(), 1, yield* other({ since: 0 }))
      utimesSync(at("s.jsonl"), 200, 200)
      yield* TestClock.setTime(1_000_000)
      expect((yield* Effect.flip(use(open, { stealAfter: 1 })))._tag).toBe("SessionBusy")
      expect((yield* use(open, { force: true })).location).toBe(at("s~2.jsonl"))
    }),
  )
})

describe("find", () => {
  it.effect("tells where a log lies, and whether somebody has it", () =>
    Effect.gen(function* () {
      const find = Effect.provide(JsonlStore.find(directory, "s"), NodeServices.layer)
      expect(yield* find).toBeUndefined()
      writeFileSync(at("s.jsonl"), text)
      expect(yield* find).toEqual({ location: at("s.jsonl"), isHeld: false })
      putLease(leases(), 1, elsewhere)
      expect(yield* find).toEqual({ location: at("s.jsonl"), isHeld: true })
      yield* use(
        (store) =>
          Effect.andThen(
            store.open("s"),
            Effect.flatMap(find, (found) =>
              Effect.sync(() => expect(found).toEqual({ location: at("s~2.jsonl"), isHeld: true })),
            ),
          ),
        { force: true },
      )
      expect(yield* find).toEqual({ location: at("s~2.jsonl"), isHeld: false })
    }),
  )
})

describe("a session that is taken over", () => {
  it.effect("goes on in a copy of its whole lines; its torn tail is kept, and so is the file before", () =>
    Effect.gen(function* () {
      const torn = text.slice(0, -7)
      const whole = torn.slice(0, torn.lastIndexOf("\n") + 1)
      writeFileSync(at("s.jsonl"), torn)
      putLease(leases(), 3, elsewhere)
      yield* use(
        (store) =>
          Effect.gen(function* () {
            const log = yield* store.open("s")
            expect(log).toMatchObject({ location: at("s~4.jsonl"), aside: "s.torn-1" })
            expect(readFileSync(at("s~4.jsonl"), "utf8")).toBe(whole)
            yield* log.writer.append(small.slice(log.events.length), "synced")
            expect(yield* store.read("s")).toEqual(small)
            expect(yield* store.list).toMatchObject([{ id: "s", location: at("s~4.jsonl") }])
          }),
        { force: true },
      )
      expect(readFileSync(at("s.jsonl"), "utf8")).toBe(torn)
      expect(readFileSync(at("s.torn-1"), "utf8")).toBe(torn.slice(whole.length))
      expect(names()).toEqual(["s.jsonl", "s.lease", "s.torn-1", "s~4.jsonl"])
    }),
  )

  it.effect("keeps one file before the present one, and goes on with the same file once nobody is left", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      for (const lease of [1, 3]) {
        putLease(leases(), lease, elsewhere)
        yield* use(open, { force: true })
      }
      expect(names()).toEqual(["s.lease", "s~2.jsonl", "s~4.jsonl"])
      expect((yield* use(open)).location).toBe(at("s~4.jsonl"))
    }),
  )

  it.live.each(["written", "synced"] as const)(
    "fails the append of the first holder that is to be %s, and its session is at its end",
    (durability) =>
      Effect.gen(function* () {
        const session = yield* SessionLog.create({ id: "s" })
        yield* add(session, "kept")
        putLease(leases(), 2, elsewhere)
        const late = session.append(durability, () => [Draft.user("late")])
        expect(yield* Effect.flip(late)).toMatchObject({
          _tag: "SessionFenced",
          written: "unknown",
        })
        expect(session.status()).toBe("disposed")
        expect((yield* Effect.flip(add(session, "later")))._tag).toBe("SessionPoisoned")
      }).pipe(Effect.scoped, Effect.provide(storeWith())),
  )

  it.live("is busy for one who was overtaken between its lease and its look at the folder", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      const change: Change = (fs) => ({
        readDirectory: (path, options) =>
          Effect.suspend(() => {
            if (path === directory && readdirSync(leases()).includes("1")) {
              putLease(leases(), 2, elsewhere)
              writeFileSync(at("s~2.jsonl"), `${text}{"seq":13,`)
            }
            return fs.readDirectory(path, options)
          }),
      })
      expect((yield* Effect.flip(use(open, {}, change)))._tag).toBe("SessionBusy")
      expect(readFileSync(at("s~2.jsonl"), "utf8")).toBe(`${text}{"seq":13,`)
    }),
  )

  it.effect(
    "syncs the copy before it has a name, the name before anything is written, and never by renaming",
    () =>
      Effect.gen(function* () {
        writeFileSync(at("s.jsonl"), text)
        putLease(leases(), 1, elsewhere)
        const steps: Array<string> = []
        const note = (what: string, path: string) =>
          Effect.sync(
            () =>
              void steps.push(
                `${what} ${path.slice(directory.length).replace(/\.[0-9a-f-]{36}$/, ".draft")}`,
              ),
          )
        const change: Change = (fs) => ({
          rename: () => Effect.die("nothing is renamed"),
          link: (from, to) => Effect.andThen(note("link", to), fs.link(from, to)),
          open: (path, options) =>
            Effect.map(fs.open(path, options), (file) => {
              const noted = {
                sync: Effect.andThen(note("sync", path), file.sync),
                writeAll: (bytes: Uint8Array) => Effect.andThen(note("write", path), file.writeAll(bytes)),
              }
              return new Proxy(file, {
                get: (target, key) => Reflect.get(noted, key) ?? Reflect.get(target, key),
              })
            }),
        })
        yield* use(open, { force: true }, change)
        expect(steps).toEqual([
          "write /s.lease/2.draft",
          "sync /s.lease/2.draft",
          "link /s.lease/2",
          "sync /s.lease",
          "write /s.lease/2.draft",
          "sync /s.lease/2.draft",
          "link /s~2.jsonl",
          "sync ",
          "write /s.lease/2.draft",
          "sync /s.lease/2.draft",
        ])
      }),
  )

  const overtake =
    (when: (path: string) => boolean, what: () => void): Change =>
    (fs) => ({
      link: (from, to) =>
        Effect.suspend(() => {
          if (when(to)) what()
          return fs.link(from, to)
        }),
      open: (path, options) =>
        Effect.suspend(() => {
          if (when(path)) what()
          return fs.open(path, options)
        }),
    })

  it.effect("gives no name to its copy when it was overtaken while it copied", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      putLease(leases(), 1, elsewhere)
      let drafts = 0
      const isCopy = (path: string) => path.includes("s.lease/2.") && ++drafts === 2
      const change = overtake(isCopy, () => putLease(leases(), 3, elsewhere))
      expect((yield* Effect.flip(use(open, { force: true }, change)))._tag).toBe("SessionBusy")
      expect(names()).toEqual(["s.jsonl", "s.lease"])
    }),
  )

  it.effect("is busy, not broken, when whoever overtook it has cleared its copy away", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      putLease(leases(), 1, elsewhere)
      const change = overtake(
        (path) => path === at("s~2.jsonl"),
        () => {
          putLease(leases(), 3, elsewhere)
          for (const name of readdirSync(leases())) if (name.includes(".")) rmSync(join(leases(), name))
        },
      )
      expect((yield* Effect.flip(use(open, { force: true }, change)))._tag).toBe("SessionBusy")
    }),
  )

  it.effect("is looked at again by a reader who came while the torn tail was being cut", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      let reads = 0
      const change: Change = (fs) => ({
        readFile: (path) =>
          Effect.map(fs.readFile(path), (bytes) =>
            ++reads === 1 ? Buffer.from(`${text}{"seq":13,"a\n`) : bytes,
          ),
      })
      expect(yield* use((store) => store.read("s"), {}, change)).toEqual(small)
    }),
  )

  it.effect("goes on in a copy after a write of ours failed", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      const broken = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "writeAll" })
      const change: Change = (fs) => ({
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            path === at("s.jsonl")
              ? new Proxy(file, {
                  get: (target, key) =>
                    key === "writeAll" ? () => Effect.fail(broken) : Reflect.get(target, key),
                })
              : file,
          ),
      })
      const more = [{ seq: small.length, at: 1, type: "vendor:x", data: 1 }] as const
      const failed = use(
        (store) => Effect.flatMap(store.open("s"), ({ writer }) => writer.append(more, "written")),
        {},
        change,
      )
      expect((yield* Effect.flip(failed))._tag).toBe("StoreUnavailable")
      expect((yield* use(open)).location).toBe(at("s~2.jsonl"))
    }),
  )

  it.effect("does not go on with a file whose last write failed", () =>
    Effect.gen(function* () {
      writeFileSync(at("s.jsonl"), text)
      putLease(leases(), 1, yield* other(), '{"released":"after a failed write"}')
      expect((yield* use(open)).location).toBe(at("s~2.jsonl"))
    }),
  )
})

describe("a log that is meddled with while it is open", () => {
  const meddled = (meddle: () => void) =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create({ id: "s" })
      yield* add(session, "kept")
      meddle()
      const error = yield* Effect.flip(add(session, "late"))
      expect(session.status()).toBe("disposed")
      return error
    }).pipe(Effect.scoped, Effect.provide(storeWith()))

  it.live.each([
    { how: "removed", meddle: () => rmSync(at("s.jsonl")) },
    {
      how: "replaced",
      meddle: () => {
        rmSync(at("s.jsonl"))
        writeFileSync(at("s.jsonl"), text)
      },
    },
    { how: "removed with its folder", meddle: () => rmSync(directory, { recursive: true }) },
  ])("and $how, acknowledges nothing more", ({ meddle }) =>
    Effect.gen(function* () {
      expect(yield* meddled(meddle)).toMatchObject({
        _tag: "StoreUnavailable",
        operation: "check",
        reason: "ENOENT",
      })
    }),
  )

  it.live("and whose leases are removed, is no longer ours", () =>
    Effect.gen(function* () {
      expect((yield* meddled(() => rmSync(leases(), { recursive: true })))._tag).toBe("SessionFenced")
    }),
  )
})

describe("an open that fails", () => {
  it.effect("lets go at once, not only when the scope of its caller closes", () =>
    use((store) =>
      Effect.gen(function* () {
        writeFileSync(at("s.jsonl"), `${text}nonsense\n`)
        for (let n = 0; n < 2; n++) {
          expect((yield* Effect.flip(store.open("s")))._tag).toBe("CorruptLog")
        }
        // The session refuses what the store can read: the lease goes with it.
        writeFileSync(at("s.jsonl"), `${text}${text}`)
        for (let n = 0; n < 2; n++) {
          const refused = Effect.flip(SessionLog.open("s"))
          expect(yield* Effect.provideService(refused, SessionStore, store)).toMatchObject({
            _tag: "CorruptLog",
            rule: "log.seq",
          })
        }
      }),
    ),
  )

  it.effect("in a place where nothing can be written, is a typed error", () =>
    Effect.gen(function* () {
      writeFileSync(at("file"), "")
      const create = Effect.scoped(Effect.flatMap(SessionStore, (store) => store.create("s")))
      const inFile = JsonlStore.layer({ directory: at("file/sessions") }).pipe(
        Layer.provide(NodeServices.layer),
      )
      expect(yield* Effect.flip(Effect.provide(create, inFile))).toMatchObject({
        _tag: "StoreUnavailable",
        reason: "ENOTDIR",
      })
    }),
  )
})

describe("a creation", () => {
  it.effect("that broke off before its first event can be done again", () =>
    use((store) =>
      Effect.gen(function* () {
        writeFileSync(at("s.jsonl"), text.slice(0, 30))
        const writer = yield* store.create("s")
        yield* writer.append(small, "synced")
        expect(yield* store.read("s")).toEqual(small)
        expect(readFileSync(at("s.torn-1"), "utf8")).toBe(text.slice(0, 30))
      }),
    ),
  )

  it.effect("syncs each new directory into its parent, and nothing at all with `sync: os`", () =>
    Effect.gen(function* () {
      const synced = (sync: "full" | "os", folder: string) => {
        const paths: Array<string> = []
        const change: Change = (fs) => ({
          open: (path, options) =>
            Effect.map(fs.open(path, options), (file) => {
              const noted = Effect.andThen(
                Effect.sync(() => void paths.push(path.slice(directory.length))),
                file.sync,
              )
              return new Proxy(file, {
                get: (target, key) => (key === "sync" ? noted : Reflect.get(target, key)),
              })
            }),
        })
        const files = Layer.effect(
          FileSystem.FileSystem,
          Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, ...change(fs) })),
        )
        const store = JsonlStore.layer({ directory: at(folder), sync }).pipe(
          Layer.provide(Layer.provideMerge(files, NodeServices.layer)),
        )
        const write = Effect.flatMap(SessionStore, ({ create }) =>
          Effect.flatMap(create("s"), (writer) => writer.append(small, "synced")),
        )
        return Effect.as(Effect.scoped(write).pipe(Effect.provide(store)), paths)
      }
      // Parents of the new folders from the inside out, then the lease and its name, then those of folder and log at once.
      expect(yield* synced("full", "a/b")).toEqual([
        "/a",
        "",
        expect.stringMatching(/^\/a\/b\/s\.lease\/1\./),
        "/a/b/s.lease",
        "/a/b",
        "/a/b/s.jsonl",
        expect.stringMatching(/^\/a\/b\/s\.lease\/1\./),
      ])
      expect(yield* synced("os", "c/d")).toEqual([])
    }),
  )

  it.effect("keeps a byte order mark and carriage returns that somebody's editor put in", () =>
    use((store) =>
      Effect.gen(function* () {
        writeFileSync(at("s.jsonl"), `\ufeff${text.replaceAll("\n", "\r\n")}`)
        const { events, writer } = yield* store.open("s")
        expect(events).toEqual(small)
        yield* writer.append([{ seq: small.length, at: 5, type: "vendor:x", data: "a\u2028b" }], "synced")
        expect((yield* store.read("s")).at(-1)).toMatchObject({ data: "a\u2028b" })
      }),
    ),
  )
})

describe("a run of NUL bytes, as a power loss leaves it", () => {
  it.effect(
    "at the end is set aside like any torn tail, and before a line refuses the log with its place",
    () =>
      use((store) =>
        Effect.gen(function* () {
          writeFileSync(at("s.jsonl"), text)
          appendFileSync(at("s.jsonl"), Buffer.alloc(4096))
          const read = Effect.scoped(Effect.map(store.open("s"), ({ aside, events }) => ({ aside, events })))
          expect(yield* read).toEqual({ aside: "s.torn-1", events: small })
          appendFileSync(at("s.jsonl"), '{"seq":13}\n')
          expect(yield* Effect.flip(store.open("s"))).toMatchObject({
            _tag: "CorruptLog",
            line: text.split("\n").length,
            byteOffset: Buffer.byteLength(text),
            message: expect.stringMatching(/NUL bytes/),
          })
        }),
      ),
  )
})
