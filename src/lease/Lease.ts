/**
 * The right to write, as numbered files: `<directory>/<n>`, of which the highest counts.
 *
 * In:  a directory for the leases of one thing.      Out: `Lease`, held until the scope closes.
 * Fails with: `Held` when somebody has it, `PlatformError`. A failed or interrupted taking leaves nothing held.
 * Not here: what is written under it, and when to check (`store/`).
 * Source: PROTOCOL "One writer". A late write cannot be prevented; it is kept from being acknowledged or read.
 */
import {
  Data,
  Effect,
  type FileSystem,
  Option,
  type Path,
  type PlatformError,
  Schema,
  type Scope,
} from "effect"
import {
  type Disk,
  isSameFile,
  makeDirectories,
  type Sight,
  syncDirectory,
  syncFile,
  toSight,
} from "./Disk.ts"
import { allOrNothing } from "./Hold.ts"
import { Holder, isOurs, lifeOf, self } from "./Holder.ts"

type Failure = PlatformError.PlatformError

/**
 * `released` and `dead` leave no writer behind. `spoiled` let go after a failed write, and `gone` is no full proof:
 * the next one must not go on with their file. `own`: this very process.
 */
export type Standing = "released" | "dead" | "spoiled" | "gone" | "alive" | "own" | "unknown"

/** Somebody has the lease, or had it and cannot be proved dead. `holder` is missing when the lease is unreadable. */
export class Held extends Data.TaggedError("Held")<{
  readonly standing: Standing
  readonly holder?: Holder
}> {}

export interface Lease {
  readonly number: number
  /** Nobody is left who might still write to what was written before: one may go on with the same file. */
  readonly isAlone: boolean
  /**
   * Whether it is still ours. `taken`: a next one is there. `missing`: ours is not where it was.
   * Order: what was written before the call that says `mine` is seen by whoever takes the lease next.
   */
  readonly check: Effect.Effect<"mine" | "taken" | "missing", Failure>
  /** Tell the next holder that a write failed: it must not trust the end of the file. */
  readonly spoil: () => void
  /** Remove the leases before this one, the lowest first. To be called once their files are not needed any more. */
  readonly prune: Effect.Effect<void>
}

export interface Options {
  readonly disk: Disk
  /** Made when missing; its parent exists. */
  readonly directory: string
  /** Whoever takes it syncs that parent before anybody is told of anything; else that is done when it is made. */
  readonly syncsParent?: boolean
  /** Whether to take it from somebody who may be alive. Not asked about this very process. */
  readonly mayTake: (held: Held) => Effect.Effect<boolean, Failure>
}

const isFree = (standing: Standing): boolean =>
  standing === "released" || standing === "dead" || standing === "spoiled" || standing === "gone"

/** The takings of this copy of the module that are not let go yet. */
const held = new Set<number>()

/** Others may take and let go between our looking and our linking; each round means that somebody got on. */
const maxRounds = 16

class Again extends Data.TaggedError("Again")<{ readonly held: Held }> {}

/** Take the lease, or say who has it. */
export const take = (options: Options): Effect.Effect<Lease, Held | Failure, Scope.Scope> => {
  const attempt = (rounds: number): Effect.Effect<Lease, Held | Failure, Scope.Scope> =>
    Effect.catchTag(allOrNothing(tryOnce(options)), "Again", (again) =>
      rounds > 1 ? attempt(rounds - 1) : Effect.fail(again.held),
    )
  return Effect.andThen(makeFolder(options), attempt(maxRounds))
}

const makeFolder = ({ disk, directory, syncsParent = false }: Options): Effect.Effect<void, Failure> =>
  syncsParent ? disk.fs.makeDirectory(directory, { recursive: true }) : makeDirectories(disk, directory)

/** Say who has the lease now; undefined when nobody does, or nobody who is left. */
export const holderOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  directory: string,
) {
  const numbers = Effect.catchIf(list(fs, directory), isNotFound, () => Effect.succeed([]))
  const newest = (yield* numbers).at(-1)
  if (newest === undefined) return undefined
  const found = yield* lookAt(fs, path.join(directory, String(newest)), yield* self(fs))
  return found === undefined || isFree(found.standing) ? undefined : found
})

const unreadable = new Held({ standing: "unknown" })

const tryOnce = Effect.fnUntraced(function* (options: Options) {
  const { disk, directory, mayTake } = options
  const pathOf = (number: number) => disk.path.join(directory, String(number))
  const me = yield* self(disk.fs)
  const look = (number: number) => lookAt(disk.fs, pathOf(number), me)

  const newest = (yield* list(disk.fs, directory)).at(-1) ?? 0
  if (newest > 0) {
    const found = yield* look(newest)
    if (found === undefined) return yield* new Again({ held: unreadable })
    if (found.standing === "own") return yield* found
    if (!isFree(found.standing) && !(yield* mayTake(found))) return yield* found
  }
  const number = newest + 1
  const { file, spoil } = yield* link(disk, directory, number, me)
  const mine = toSight(yield* file.stat)

  // An older lease may have been removed just before ours got its number: then a higher one is there.
  const numbers = yield* list(disk.fs, directory)
  if (numbers.at(-1) !== number) {
    yield* disk.fs.remove(pathOf(number), { force: true })
    return yield* new Again({ held: unreadable })
  }
  yield* syncDirectory(disk, directory)
  const others = yield* Effect.forEach(numbers.slice(0, -1), look)
  const lease: Lease = {
    number,
    isAlone: others.every((other) => other === undefined || isSafe(other.standing)),
    check: check(disk, pathOf(number + 1), pathOf(number), mine),
    spoil,
    prune: prune(disk, directory, number),
  }
  return lease
})

const isSafe = (standing: Standing): boolean => standing === "released" || standing === "dead"

/** The numbers of the leases, ascending. */
const list = (fs: FileSystem.FileSystem, directory: string): Effect.Effect<ReadonlyArray<number>, Failure> =>
  Effect.map(fs.readDirectory(directory), (names) =>
    names
      .filter((name) => /^[1-9]\d{0,14}$/.test(name))
      .map(Number)
      .sort((a, b) => a - b),
  )

const isNotFound = (error: Failure) => error.reason._tag === "NotFound"
const decodeHolder = Schema.decodeUnknownOption(Schema.fromJsonString(Holder))

/** Say what a lease says of its holder; undefined when it has been removed meanwhile. */
const lookAt = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, path: string, me: Holder) {
  const text = yield* fs.readFileString(path).pipe(
    Effect.map((text): string | undefined => text),
    Effect.catchIf(isNotFound, () => Effect.succeed(undefined)),
  )
  if (text === undefined) return undefined
  const [head = "", end] = text.split("\n")
  const holder = Option.getOrUndefined(decodeHolder(head))
  if (holder === undefined) return unreadable
  if (end === released) return new Held({ standing: "released", holder })
  if (end === spoiled) return new Held({ standing: "spoiled", holder })
  if (isOurs(holder)) return new Held({ standing: held.has(holder.taking) ? "own" : "spoiled", holder })
  return new Held({ standing: yield* lifeOf(fs, holder, me), holder })
})

const released = '{"released":"whole"}'
const spoiled = '{"released":"after a failed write"}'

/** Bring a complete lease into being under its number; closing the scope says in it that it is let go. */
const link = Effect.fnUntraced(function* (disk: Disk, directory: string, number: number, me: Holder) {
  const { fs, path } = disk
  const target = path.join(directory, String(number))
  const draft = path.join(directory, `${number}.${globalThis.crypto.randomUUID()}`)
  let end = released
  const file = yield* fs.open(draft, { flag: "ax", mode: 0o600 })
  // Said in any case: a link that fails may have been made all the same.
  const letGo = Effect.suspend(() => {
    held.delete(me.taking)
    return Effect.andThen(file.writeAll(encode(end)), syncFile(disk, file))
  })
  held.add(me.taking)
  yield* Effect.addFinalizer(() => Effect.ignore(letGo))
  const publish = Effect.gen(function* () {
    yield* file.writeAll(encode(JSON.stringify(me)))
    yield* syncFile(disk, file)
    yield* Effect.catchIf(fs.link(draft, target), isLost, () => Effect.fail(new Again({ held: unreadable })))
  })
  yield* Effect.ensuring(publish, Effect.ignore(fs.remove(draft, { force: true })))
  const spoil = () => {
    end = spoiled
  }
  return { file, spoil }
})

const encode = (line: string): Uint8Array => new TextEncoder().encode(`${line}\n`)

/** Somebody else was faster, or so much faster that our draft has been cleared away. */
const isLost = (error: Failure): boolean =>
  error.reason._tag === "AlreadyExists" || error.reason._tag === "NotFound"

/** The file is open as long as the lease is held, so no other file can get its inode. */
const check = ({ look }: Disk, next: string, own: string, mine: Sight): Lease["check"] => {
  const lookForOwn = Effect.suspend(() =>
    Effect.map(look(own), (found) =>
      found !== undefined && isSameFile(found, mine) ? ("mine" as const) : ("missing" as const),
    ),
  )
  // In this order: leases are removed in ascending order, so a next one that came and went has taken ours with it.
  return Effect.suspend(() =>
    Effect.flatMap(look(next), (later): Lease["check"] =>
      later === undefined ? lookForOwn : Effect.succeed("taken"),
    ),
  )
}

/** Stops at the first that cannot be removed, for the order's sake. What is left is removed by the next holder. */
const prune = (disk: Disk, directory: string, number: number): Effect.Effect<void> =>
  Effect.ignore(
    Effect.gen(function* () {
      const names = yield* disk.fs.readDirectory(directory)
      const drafts = names.filter((name) => /^\d+\./.test(name) && Number.parseInt(name, 10) < number)
      const numbers = (yield* list(disk.fs, directory)).filter((older) => older < number)
      for (const name of [...numbers.map(String), ...drafts]) {
        yield* disk.fs.remove(disk.path.join(directory, name), { force: true })
      }
    }),
  )
