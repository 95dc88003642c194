/**
 * A folder for outputs that are too large, inside what the model's file tools may read.
 *
 * In:  the root of the workspace, and a folder in it.      Out: a layer for `Spill`.
 * Fails with: nothing when made; a text that cannot be written is cut instead (`Spill.keep`).
 * Order: a file has its whole text, synced, before it has its name; equal texts are one file.
 * Not here: when such files are deleted. Nobody but their owner knows which logs still name them.
 *
 * Limits: whoever can write the workspace can change what lies there, or put a link in the place of the folder.
 */
import { Effect, FileSystem, Layer, Path } from "effect"
import { sha256 } from "../message/Digest.ts"
import { Spill } from "./Spill.ts"

export interface Options {
  /** The folder that the model's tools call `.`. */
  readonly root: string
  /** Relative to the root, and what the model reads. Default `.effect-harness/outputs`. */
  readonly folder?: string
}

/** Files are made with mode 0600, the folder with 0700. */
export const layer = ({
  root,
  folder = ".effect-harness/outputs",
}: Options): Layer.Layer<never, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Spill,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const inside = paths.join(root, folder)
      const write = Effect.fnUntraced(function* (text: string) {
        const name = `${sha256(text).slice(0, 16)}.txt`
        const final = paths.join(inside, name)
        const shown = `${folder}/${name}`
        if (yield* fs.exists(final)) return shown
        yield* fs.makeDirectory(inside, { recursive: true, mode: 0o700 })
        const temporary = paths.join(inside, `.${globalThis.crypto.randomUUID()}.tmp`)
        const fill = Effect.scoped(
          Effect.gen(function* () {
            const file = yield* fs.open(temporary, { flag: "wx", mode: 0o600 })
            yield* file.writeAll(new TextEncoder().encode(text))
            yield* file.sync
          }),
        )
        yield* Effect.andThen(fill, fs.rename(temporary, final)).pipe(
          Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
        )
        return shown
      })
      return ({ text }) => write(text)
    }),
  )
