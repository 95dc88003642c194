/**
 * Text files of the workspace, read whole or piece by piece, and replaced whole.
 *
 * In:  a `Location`.      Out: its text and mode, or its text as it comes; after a replacement, the bytes written.
 * Fails with: `FileError`; after a failed replacement the file is as it was, and nothing is left beside it.
 * Not here: which lines a model sees (`ReadFile.ts`), what is written (`WriteFile.ts`, `EditFile.ts`), what else runs
 * meanwhile (`Workspace.exclusively`).
 *
 * Limits: a replaced file is a new inode. Its permission bits are kept, but not set-uid, set-gid and sticky; hard links keep the old text, and the owner is
 * whoever runs this.
 */
import { ByteSize, Effect, FileSystem, Path } from "effect"
import { isFolder, mapFileError } from "./fileError.ts"
import { type Opened, openAtOnce } from "./node.ts"
import { FileNotRegular, FileNotText, FileTooLarge, type Location } from "./ToolkitError.ts"

/** Units: bytes. What one tool holds of one file in memory; a file that is scanned may be of any size. */
export const maxBytes = 16 * 1024 * 1024

/** Read, write and execute of each: a new text does not inherit the rights of a set-uid program. */
const permissionBits = 0o777

/** Text in which every byte of the file can be found again. */
export interface TextFile {
  readonly text: string
  /** Permission bits: read, write and execute of each. */
  readonly mode: number
}

/** Look at what is there, and refuse what is no regular file before anything opens it: to open a device can do things. */
export const statRegular = Effect.fnUntraced(function* (at: Location) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* mapFileError(at)(fs.stat(at.absolute))
  if (info.type === "Directory") return yield* isFolder(at.relative)
  if (info.type !== "File") return yield* notRegular(at)
  return { mode: info.mode & permissionBits, sizeBytes: Number(ByteSize.toBigInt(info.size)) }
})

const notRegular = ({ relative }: Location): FileNotRegular =>
  new FileNotRegular({
    path: relative,
    message: `${relative} is a device, pipe or socket, not a regular file. Use another file.`,
  })

/** Read it, if it is a regular file of at most `limitBytes` that holds UTF-8 text. */
export const read = Effect.fnUntraced(function* (at: Location, limitBytes: number = maxBytes) {
  const path = at.relative
  const { file, mode, sizeBytes } = yield* openRegular(at)
  // One byte more than allowed, because a file may grow, and an edit of a part of it would cut off the rest.
  const bytes = sizeBytes > limitBytes ? undefined : yield* mapFileError(at)(readAtMost(file, limitBytes + 1))
  if (bytes === undefined || bytes.length > limitBytes) {
    const message = `${path} has more than ${limitBytes} bytes. Read a range of its lines, or change it with a command such as sed.`
    return yield* new FileTooLarge({ path, sizeBytes, limitBytes, message })
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const text = decode(bytes, (all) => decoder.decode(all))
  if (text === undefined) return yield* notText(at)
  return { text, mode: mode & permissionBits } satisfies TextFile
}, Effect.scoped)

/**
 * Hand on its text piece by piece, without the byte order mark, if it is a regular file that holds UTF-8 text.
 *
 * What is appended while it is read is not waited for: who writes faster than this reads would keep it for ever.
 */
export const scan = Effect.fnUntraced(function* (at: Location, take: (text: string) => void) {
  const { file, sizeBytes } = yield* openRegular(at)
  const decoder = new TextDecoder("utf-8", { fatal: true })
  // A file of the system may have a size of nothing, and a text. One byte more, so that the end is seen.
  for (let left = Math.max(sizeBytes, maxBytes) + 1; left > 0; ) {
    const chunk = yield* mapFileError(at)(file.read(Math.min(left, chunkBytes)))
    const text = decode(chunk, (some) => decoder.decode(some, { stream: some.length > 0 }))
    if (text === undefined) return yield* notText(at)
    take(text)
    if (chunk.length === 0) return
    left -= chunk.length
  }
}, Effect.scoped)

const openRegular = Effect.fnUntraced(function* (at: Location) {
  yield* statRegular(at)
  const file = yield* mapFileError(at)(openAtOnce(at.absolute))
  const { isRegular, mode, sizeBytes } = yield* mapFileError(at)(file.stat)
  if (!isRegular) return yield* notRegular(at)
  return { file, mode, sizeBytes }
})

const notText = ({ relative }: Location): FileNotText =>
  new FileNotText({
    path: relative,
    message: `${relative} is not UTF-8 text. Do not read it as text; inspect it with a command instead.`,
  })

/**
 * Write a temporary file in the same folder, sync it, and rename it over the old one.
 *
 * A rename needs rights on the folder only, so the right to write the old file is asked for first: a file that is
 * write-protected stays as it is and fails with EACCES.
 */
export const replace = Effect.fnUntraced(function* (at: Location, text: string, mode: number | undefined) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const bytes = new TextEncoder().encode(text)
  const name = `.effect-harness-${globalThis.crypto.randomUUID()}.tmp`
  const temporary = paths.join(paths.dirname(at.absolute), name)
  const write = Effect.scoped(
    Effect.gen(function* () {
      const file = yield* fs.open(temporary, { flag: "wx" })
      yield* file.writeAll(bytes)
      if (mode !== undefined) yield* fs.chmod(temporary, mode)
      yield* file.sync
    }),
  )
  const swap = Effect.andThen(write, fs.rename(temporary, at.absolute)).pipe(
    Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
    Effect.uninterruptible,
  )
  const allowed = mode === undefined ? Effect.void : fs.access(at.absolute, { writable: true })
  yield* mapFileError(at)(Effect.andThen(allowed, swap))
  return bytes.length
})

const readAtMost = Effect.fnUntraced(function* (file: Opened, limitBytes: number) {
  const chunks: Array<Uint8Array> = []
  for (let left = limitBytes; left > 0; ) {
    const chunk = yield* file.read(Math.min(left, chunkBytes))
    if (chunk.length === 0) break
    chunks.push(chunk)
    left -= chunk.length
  }
  return concat(chunks)
})

const chunkBytes = 256 * 1024

const concat = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

/** Nothing for bytes that are no text: NUL is a character to UTF-8, but to nobody else. */
const decode = (bytes: Uint8Array, toText: (bytes: Uint8Array) => string): string | undefined => {
  if (bytes.includes(0)) return undefined
  try {
    return toText(bytes)
  } catch {
    return undefined
  }
}
