/**
 * Which logs are meant by what a person writes.
 *
 * In:  files, folders, `-` for stdin, ids of sessions in a folder.      Out: each log once, in the order given; in a folder by path.
 * Fails with: nothing. A name behind which there is nothing, and a folder without logs, are unread where they stand.
 * Order: in a folder the newest file of each session counts (`ID~n.jsonl` with the highest n); linked folders are not entered.
 * Not here: reading them (`Judge.ts`).
 */
import { Effect, FileSystem, Path, Result } from "effect"
import { Unreadable, unreadableFile } from "../setup/CliFailure.ts"
import { locateLog } from "../setup/ReadLog.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import type { Unread } from "./Summary.ts"

export const stdin = "-"

/** A path, or `-`; or a name with the reason why it is none. */
export type Target = string | Unread

export const find = Effect.fnUntraced(function* (names: ReadonlyArray<string>, dir: string) {
  const found = new Map<string, Target>()
  for (const name of names) {
    const targets = yield* Effect.result(expand(name, dir))
    if (Result.isFailure(targets)) {
      found.set(name, { file: name, failure: targets.failure })
      continue
    }
    for (const target of targets.success) {
      const key = yield* identify(target)
      if (!found.has(key)) found.set(key, target)
    }
  }
  return [...found.values()]
})

const expand = Effect.fnUntraced(function* (name: string, dir: string) {
  if (name === stdin) return [stdin]
  const target = yield* locateLog(name, dir)
  if (!(yield* isFolder(target))) return [target]
  const inside = yield* walk(target)
  if (inside.length > 0) return inside
  return yield* new Unreadable({ message: `there is no log in the folder ${JSON.stringify(name)}` })
})

/** One file has one key, by whatever way it was come to. What cannot be looked at is told when it is read. */
const identify = (target: string) =>
  target === stdin
    ? Effect.succeed(stdin)
    : Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.realPath(target), () => target))

/** Also one that a link leads to. */
export const isFolder = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.orElseSucceed(
      Effect.map(fs.stat(path), ({ type }) => type === "Directory"),
      () => false,
    ),
  )

/** Logs of a folder and of those in it; what lies in the folder of a lease is none. */
const walk: (
  folder: string,
) => Effect.Effect<ReadonlyArray<string>, Unreadable, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (folder) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const read = fs.readDirectory(folder)
    const names = (yield* Effect.mapError(read, unreadableFile("the folder", folder))).sort()
    const logs = new Set(JsonlStore.logsAmong(names))
    const found: Array<string> = []
    for (const name of names) {
      if (name.endsWith(".lease")) continue
      const inside = path.join(folder, name)
      if (yield* isOwnFolder(inside)) found.push(...(yield* walk(inside)))
      else if (logs.has(name)) found.push(inside)
    }
    return found
  },
)

/** A link to a folder is none, so that no ring of links is walked around. */
const isOwnFolder = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.orElseSucceed(
      Effect.map(fs.lstat(path), ({ type }) => type === "Directory"),
      () => false,
    ),
  )
