/**
 * A workspace of real files for one test, gone after it.
 *
 * In:  files by path.      Out: the test's effect, with the workspace and the platform's services.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Path } from "effect"
import * as Tool from "../../src/tool/Tool.ts"
import * as Workspace from "../../src/toolkit/Workspace.ts"

type Platform = NodeServices.NodeServices

/** Run in `base/ws`; `base/outside.txt` holds a secret that no tool may read. */
export const inWorkspace = <A, E>(
  files: Readonly<Record<string, string>>,
  test: (root: string) => Effect.Effect<A, E, Workspace.Workspace | Platform>,
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const base = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "toolkit-" }), fs.realPath)
    const root = paths.join(base, "ws")
    yield* fs.makeDirectory(root)
    yield* fs.writeFileString(paths.join(base, "outside.txt"), "secret\n")
    for (const [path, text] of Object.entries(files)) {
      yield* fs.makeDirectory(paths.dirname(paths.join(root, path)), { recursive: true })
      yield* fs.writeFileString(paths.join(root, path), text)
    }
    return yield* Effect.provide(test(root), Workspace.layer(root))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** Call a tool as a model does. */
export const call = <O, E, R>(tool: Parameters<typeof Tool.run<O, E, R>>[0], args: object) =>
  Tool.run(tool)(JSON.stringify(args))

/** What a failing call says: its code and its words. */
export const failure = <O, E extends { readonly code: string; readonly message: string }, R>(
  effect: Effect.Effect<O, E, R>,
) => Effect.map(Effect.flip(effect), ({ code, message }) => ({ code, message }))

/** The code of a failing call. */
export const code = <O, E extends { readonly code: string }, R>(effect: Effect.Effect<O, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => error.code)

/** Matches half of a character that was cut in two. */
export const halfCharacter = /\p{Surrogate}|\uFFFD/u
