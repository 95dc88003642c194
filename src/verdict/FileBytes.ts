/**
 * Read a log file piece by piece, up to where it ended when the reading began.
 *
 * In:  a path.      Out: its bytes.
 * Fails with: `Unreadable` with the code of the cause, and for what is no file: reading a pipe by its name may wait for ever.
 */
import { Effect, FileSystem, Stream } from "effect"
import { Unreadable, unreadableFile } from "../setup/CliFailure.ts"

const chunkSize = 256 * 1024

export const fileBytes = (file: string) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { type, size } = yield* Effect.mapError(fs.stat(file), unreadableFile("the log", file))
      if (type !== "File") return yield* new Unreadable({ message: noFile(file, type) })
      const bytes = fs.stream(file, { chunkSize, bytesToRead: size })
      return Stream.mapError(bytes, unreadableFile("the log", file))
    }),
  )

const noFile = (file: string, type: string): string =>
  `the log ${JSON.stringify(file)} is no file but of the kind ${type}; give its content on stdin, as -`
