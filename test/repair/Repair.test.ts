import { it } from "@effect/vitest"
import { Effect, FileSystem, Path, Result } from "effect"
import { systemError } from "effect/PlatformError"
import { describe, expect } from "vitest"
import { story } from "../../src/mutant/Story.ts"
import * as Repair from "../../src/repair/Repair.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { inFolder, lawful } from "../verdict/files.ts"

const open = LogFile.encode(story.slice(0, -1))

/** More than is read at once, all of it in one step that is still open. */
const manySteps = (() => {
  const upTo = story.findIndex(({ type }) => type === "assistant/chunk")
  const [first] = story.slice(upTo)
  const begun = story.slice(0, upTo)
  if (first?.type !== "assistant/chunk") return ""
  const { turn, step } = first.data
  const chunk = (at: number) =>
    at === 0
      ? ({ type: "block-start", block: "t", kind: "text" } as const)
      : ({ type: "text-delta", block: "t", text: "word ".repeat(10) } as const)
  const chunks = Array.from({ length: 20_000 }, (_, at) => ({
    seq: upTo + at,
    at: first.at,
    type: "assistant/chunk" as const,
    data: { turn, step, chunk: chunk(at) },
  }))
  const text = LogFile.encode([...begun, ...chunks])
  return LogFile.encode(Result.getOrThrow(LogFile.parse(new TextEncoder().encode(text))).events)
})()

/** A disk on which a file can be made, and no byte written. */
const full = (fs: FileSystem.FileSystem): FileSystem.FileSystem => ({
  ...fs,
  open: (path, options) =>
    Effect.map(fs.open(path, options), (file) => ({
      ...file,
      writeAll: () =>
        Effect.fail(
          systemError({ _tag: "Unknown", module: "FileSystem", method: "writeAll", description: "ENOSPC" }),
        ),
    })),
})

const repair = (log: string, disk = (fs: FileSystem.FileSystem) => fs) =>
  inFolder({ "old.jsonl": log }, (folder) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const [old, out] = [path.join(folder, "old.jsonl"), path.join(folder, "new.jsonl")]
      const ended = yield* Effect.result(
        Effect.provideService(Repair.run(old, out), FileSystem.FileSystem, disk(fs)),
      )
      const isThere = yield* fs.exists(out)
      return {
        ended,
        isThere,
        text: isThere ? yield* fs.readFileString(out) : "",
        old: yield* fs.readFileString(old),
      }
    }),
  )

describe("a repair", () => {
  it.effect("writes rows of chunks as they stood, also where the log was read in pieces", () =>
    Effect.gen(function* () {
      const { text, old } = yield* repair(manySteps)
      expect(old).toBe(manySteps)
      expect(text.startsWith(manySteps)).toBe(true)
      expect(text.slice(manySteps.length)).toMatch(/^.*"type":"step\/end".*\n.*"type":"turn\/end".*\n$/)
    }),
  )

  it.effect("takes a file away that it cannot write to the end", () =>
    Effect.gen(function* () {
      const { ended, isThere, old } = yield* repair(open, full)
      expect(ended).toMatchObject({
        failure: { _tag: "WrongUsage", message: expect.stringMatching(/^cannot write .*ENOSPC/) },
      })
      expect([isThere, old]).toEqual([false, open])
      expect((yield* repair(open)).isThere).toBe(true)
      expect((yield* repair(lawful)).isThere).toBe(false)
    }),
  )
})
