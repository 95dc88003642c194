/**
 * Open a session of 100,000 events from disk: read, check, and fold to state and history.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import type { SessionEvent } from "../../../src/event/SessionEvent.ts"
import * as SessionLog from "../../../src/session/SessionLog.ts"
import * as JsonlStore from "../../../src/store/JsonlStore.ts"
import { SessionStore } from "../../../src/store/SessionStore.ts"
import { eventsOf } from "../inputs/log.ts"
import { toMessage } from "../inputs/plainLog.ts"
import { spent } from "../measure.ts"
import type { Row, Work } from "../Row.ts"

const events = 100_000

const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "bench-resume-"))
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const floor = (): Work => {
  const path = join(makeDirectory(), "log.jsonl")
  const written = eventsOf(events)
  writeFileSync(path, written.map((event) => `${JSON.stringify(event)}\n`).join(""))
  const fileBytes = statSync(path).size
  return {
    kind: "sampled",
    sample: async () => {
      let read = 0
      const { cpuMicros, wallMicros } = await spent(() => {
        const lines = readFileSync(path, "utf8").trimEnd().split("\n")
        const log = lines.map((line): SessionEvent => JSON.parse(line))
        const messages = log.map(toMessage).filter((message) => message !== undefined)
        read = messages.length > 0 ? log.length : 0
      })
      if (read !== written.length) throw new Error(`read ${read} of ${written.length}`)
      return { cpuMicros, wallMicros, fileBytes }
    },
  }
}

const ours = async (): Promise<Work> => {
  const directory = makeDirectory()
  const services = Layer.provide(JsonlStore.layer({ directory }), NodeServices.layer)
  const written = eventsOf(events)
  const write = Effect.gen(function* () {
    const writer = yield* (yield* SessionStore).create("bench")
    yield* writer.append(written, "synced")
  })
  await Effect.runPromise(write.pipe(Effect.scoped, Effect.provide(services)))
  const fileBytes = statSync(join(directory, "bench.jsonl")).size
  const open = Effect.gen(function* () {
    const session = yield* SessionLog.open("bench")
    return { events: session.state().nextSeq, messages: session.messages().length }
  })
  return {
    kind: "sampled",
    sample: async () => {
      let read = { events: 0, messages: 0 }
      const { cpuMicros, wallMicros } = await spent(async () => {
        read = await Effect.runPromise(open.pipe(Effect.scoped, Effect.provide(services)))
      })
      if (read.events !== written.length || read.messages === 0) throw new Error(`read ${read.events}`)
      return { cpuMicros, wallMicros, fileBytes }
    },
  }
}

export const resume: Row = {
  name: "resume",
  title: "Resume a session of 100,000 events",
  floorIs: "one event a line: the file read, every line parsed, the messages derived",
  lines: [
    { name: "resume/open", title: "open it", aims: [{ against: "floor", atMost: 0.5 }] },
    {
      name: "resume/bytes",
      work: "resume/open",
      title: "its size on disk",
      figure: "fileBytes",
      unit: "bytes",
      aims: [{ against: "floor", atMost: 0.4 }],
    },
  ],
  floor: { "resume/open": floor },
  ours: { "resume/open": ours },
}
