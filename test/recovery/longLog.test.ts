/**
 * A session of a hundred thousand events: what going on costs beside reading all of its rows once.
 *
 * The ratio is what is held, since both are measured on the same machine in the same run; ten thousand unless `LONG=1`.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { number } from "../../src/mutant/Story.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { isLong, report } from "../store/scale.ts"

const size = isLong ? 100_000 : 10_000
const perTurn = 100

const turn = (n: number): ReadonlyArray<EventDraft> => {
  const place = { turn: n, step: 1 }
  const words = Array.from({ length: perTurn - 8 }, (_, at) => `word ${at} `)
  const chunks = words.map(
    (text): EventDraft => ({
      type: "assistant/chunk",
      data: { ...place, chunk: { type: "text-delta", block: "b", text } },
    }),
  )
  return [
    {
      type: "user/message",
      data: { messageId: `m${n}`, content: [{ type: "text", text: "go" }], source: "user" },
    },
    { type: "turn/start", data: { turn: n, trigger: { kind: "message" }, claims: [`m${n}`] } },
    { type: "step/start", data: { ...place, claims: [] } },
    { type: "assistant/chunk", data: { ...place, chunk: { type: "block-start", block: "b", kind: "text" } } },
    ...chunks,
    { type: "assistant/chunk", data: { ...place, chunk: { type: "block-end", block: "b" } } },
    {
      type: "assistant/message",
      data: { ...place, content: [{ type: "text", text: words.join("") }], finish: { kind: "stop" } },
    },
    { type: "step/end", data: place },
    { type: "turn/end", data: { turn: n, reason: { kind: "completed" } } },
  ]
}

const timed = async <A>(run: () => Promise<A> | A) => {
  const start = performance.now()
  const result = await run()
  return { result, millis: performance.now() - start }
}

it("goes on with a long log in a few times what reading its rows takes, and writes only what is new", {
  timeout: 120_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "effect-harness-long-"))
  const start: EventDraft = { type: "session/start", data: { version: 1, id: "s", createdAt: 1 } }
  const events = number([start, ...Array.from({ length: size / perTurn }, (_, at) => turn(at + 1)).flat()])
  // The last turn is left open: its end is cut off.
  const text = LogFile.encode(events.slice(0, -2))
  const file = join(directory, "s.jsonl")
  writeFileSync(file, text)
  const bytes = new TextEncoder().encode(text)

  const parsed = await timed(() => LogFile.parse(bytes))
  const services = Layer.merge(
    JsonlStore.layer({ directory }).pipe(Layer.provide(NodeServices.layer)),
    ScriptedModel.layer({ steps: [{ text: "done" }] }),
  )
  const resume = Effect.gen(function* () {
    const agent = yield* Agent.make({ session: yield* SessionLog.open("s"), tools: Toolbox.empty })
    return yield* agent.resumed
  }).pipe(Effect.scoped, Effect.provide(services))
  const resumed = await timed(() => Effect.runPromise(resume))

  expect(resumed.result?.reason.kind).toBe("completed")
  const written = statSync(file).size - bytes.length
  const ratio = resumed.millis / parsed.millis
  expect(written).toBeLessThan(2_000)
  expect(ratio).toBeLessThan(isLong ? 4 : 25)
  report(
    `resume of ${events.length} events (${(bytes.length / 1e6).toFixed(1)} MB): ${resumed.millis.toFixed(0)} ms, ` +
      `parsing all rows ${parsed.millis.toFixed(0)} ms, ratio ${ratio.toFixed(2)}, ${written} bytes written`,
  )
  rmSync(directory, { recursive: true, force: true })
})
