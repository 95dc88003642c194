/**
 * Ten thousand pieces of one answer: through the port, and through an agent into the log.
 *
 * The source is an async generator for all, each with the pieces of its own protocol. It never waits, so ports may hand
 * on in batches what has come; of `stream/waiting` each piece comes in a turn of the event loop, and no two are together.
 * Our port is a `Stream`, taken as the loop takes it.
 */
import { Effect, Layer } from "effect"
import * as Agent from "../../../src/loop/Agent.ts"
import type { ModelChunk } from "../../../src/message/ModelChunk.ts"
import * as Model from "../../../src/model/Model.ts"
import { ModelInterrupted } from "../../../src/model/ModelError.ts"
import * as ModelStream from "../../../src/model/ModelStream.ts"
import * as SessionLog from "../../../src/session/SessionLog.ts"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { pull } from "../../../src/turn/pull.ts"
import { hearing, waitingFor } from "../inputs/hearing.ts"
import { toolbox } from "../inputs/tools.ts"
import type { Row } from "../Row.ts"

async function* speak(deltas: number): AsyncGenerator<ModelChunk> {
  yield { type: "block-start", block: "0", kind: "text" }
  for (let piece = 0; piece < deltas; piece++) yield { type: "text-delta", block: "0", text: "word " }
  yield { type: "block-end", block: "0" }
  yield { type: "finish", finish: { kind: "stop" } }
}

type Open = () => AsyncIterable<ModelChunk>

/** The same answer from a port, as an adapter makes it of a client's async iterable. */
const streamOf = (open: Open): ReturnType<Model.Model["Service"]["stream"]> =>
  ModelStream.fromAsyncIterable(open, (error) => new ModelInterrupted({ message: String(error) }))

const raw = async (open: Open): Promise<number> => {
  let length = 0
  for await (const chunk of open()) if (chunk.type === "text-delta") length += chunk.text.length
  return length
}

const throughPort = (open: Open): Promise<number> => {
  let length = 0
  const hear = (chunks: ReadonlyArray<ModelChunk>): undefined => {
    for (const chunk of chunks) if (chunk.type === "text-delta") length += chunk.text.length
  }
  return Effect.runPromise(
    pull(
      () => streamOf(open),
      hear,
      () => Effect.succeed(length),
    ),
  )
}

const intoLog = (open: Open): Promise<number> =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: toolbox })
    const { text } = yield* agent.prompt("Tell me.")
    return text.length
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.merge(
        Layer.fresh(MemoryStore.layer),
        Model.layer({ name: "script:bench", stream: () => streamOf(open) }),
      ),
    ),
    Effect.runPromise,
  )

/** From a generator that has the next piece at once. */
const atOnce = (hear: (open: Open) => Promise<number>) => () => hearing((deltas) => hear(() => speak(deltas)))

const waiting = (hear: (open: Open) => Promise<number>) => () =>
  hearing((deltas) => hear(() => waitingFor(speak(deltas))))

export const stream: Row = {
  name: "stream",
  title: "Stream 10,000 pieces",
  floorIs: "`for await` over the async generator",
  lines: [
    { name: "stream/port", title: "a piece, through the port", aims: [{ against: "floor", atMost: 2 }] },
    { name: "stream/waiting", title: "a piece that is waited for, through the port" },
    { name: "stream/log", title: "a piece, into the log", aims: [{ against: "floor", atMost: 4 }] },
  ],
  floor: {
    "stream/port": atOnce(raw),
    "stream/waiting": waiting(raw),
    "stream/log": atOnce(raw),
  },
  ours: {
    "stream/port": atOnce(throughPort),
    "stream/waiting": waiting(throughPort),
    "stream/log": atOnce(intoLog),
  },
}
