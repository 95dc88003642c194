/** Both stores, over fresh places, so that one test holds for both. */
import { tmpdir } from "node:os"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import type { SessionStore } from "../../src/store/SessionStore.ts"

/** A JSONL store in a temporary directory that goes away with the layer; `use` gets the directory that it has. */
export const jsonlIn = (directory: string) =>
  Layer.provideMerge(JsonlStore.layer({ directory }), NodeServices.layer)

const jsonl = Layer.unwrap(
  Effect.map(
    FileSystem.FileSystem.pipe(
      Effect.flatMap((fs) => fs.makeTempDirectoryScoped({ directory: tmpdir(), prefix: "jsonl-store-" })),
    ),
    (directory) => JsonlStore.layer({ directory: `${directory}/sessions` }),
  ),
).pipe(Layer.provide(NodeServices.layer))

export const stores: ReadonlyArray<readonly [name: string, layer: Layer.Layer<SessionStore, unknown>]> = [
  ["memory", MemoryStore.layer],
  ["jsonl", jsonl],
]
