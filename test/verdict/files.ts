/**
 * Files of logs for one test, gone after it.
 *
 * In:  texts by path.      Out: the test's effect, with the platform's services and the folder.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Path } from "effect"
import { story } from "../../src/mutant/Story.ts"
import * as LogFile from "../../src/store/LogFile.ts"

/** A lawful log. */
export const lawful = LogFile.encode(story)

export const inFolder = <A, E>(
  files: Readonly<Record<string, string>>,
  test: (folder: string) => Effect.Effect<A, E, NodeServices.NodeServices>,
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "verdict-" }), fs.realPath)
    for (const [name, text] of Object.entries(files)) {
      yield* fs.makeDirectory(path.dirname(path.join(folder, name)), { recursive: true })
      yield* fs.writeFileString(path.join(folder, name), text)
    }
    return yield* test(folder)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
