import { readFileSync, statSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Output from "../../src/output/Output.ts"
import { Spill, type SpilledText } from "../../src/output/Spill.ts"
import * as SpillFolder from "../../src/output/SpillFolder.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { readFile as readFileTool } from "../../src/toolkit/ReadFile.ts"
import { bodied, call, execute, textOf } from "../tool/fixtures.ts"
import { inWorkspace } from "../toolkit/temporary.ts"

const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i + 1}`)
const long = lines.join("\n")
const give = (output: unknown): Effect.Effect<ToolExecutionResult> =>
  execute(bodied("give", Effect.succeed(output)))

const keeping = (kept: Array<SpilledText>): Layer.Layer<never> =>
  Layer.succeed(Spill, (text) => Effect.sync(() => `kept/${kept.push(text)}`))

describe("an output that is too large", () => {
  it.effect("is kept whole, and the model told where", () =>
    Effect.gen(function* () {
      const kept: Array<SpilledText> = []
      const result = yield* give(long).pipe(Effect.provide(keeping(kept)))
      expect(kept).toEqual([{ callId: "c1", tool: "give", text: long }])
      expect(result).toMatchObject({ outcome: "success", spill: "kept/1" })
      expect(textOf(result)).toContain("20000 lines of text, is in kept/1")
      expect(textOf(result).length).toBeLessThan(Output.maxTextLength + 300)
    }),
  )

  it.effect("is kept in lines when it is JSON, and block after block when it is blocks", () =>
    Effect.gen(function* () {
      const kept: Array<SpilledText> = []
      yield* give({ lines }).pipe(Effect.provide(keeping(kept)))
      const blocks = Output.content(lines.map((text) => ({ type: "text", text })))
      yield* give(blocks).pipe(Effect.provide(keeping(kept)))
      expect(kept.map(({ text }) => text)).toEqual([JSON.stringify({ lines }, null, 2), long])
    }),
  )

  it.effect("is only cut where nobody keeps it, or keeping it fails or breaks", () =>
    Effect.gen(function* () {
      const cut = yield* give(long)
      expect(cut).not.toHaveProperty("spill")
      expect(textOf(cut)).toContain("are left out here")
      for (const broken of [() => Effect.fail("disk full"), () => Effect.die("bug")]) {
        expect(yield* give(long).pipe(Effect.provide(Layer.succeed(Spill, broken)))).toEqual(cut)
      }
    }),
  )

  it.effect("is not one when it fits", () =>
    Effect.gen(function* () {
      const kept: Array<SpilledText> = []
      const result = yield* give("x".repeat(Output.maxTextLength)).pipe(Effect.provide(keeping(kept)))
      expect(kept).toEqual([])
      expect(textOf(result)).toHaveLength(Output.maxTextLength)
    }),
  )
})

describe("a folder of the workspace", () => {
  const folder = ".effect-harness/outputs"

  it.live("holds the text where the model's own tool reads any range of it again", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const runner = yield* ToolRunner.make(
          Toolbox.make(bodied("give", Effect.succeed(long)), readFileTool),
        )
        const { spill = "" } = yield* runner.execute(call("give"))
        const again = yield* runner.execute(call("read_file", { path: spill, offset: 12_345, limit: 2 }))
        expect(textOf(again)).toBe(
          "line 12345\nline 12346\n[Lines 12345-12346 of 20000. Continue with offset 12347.]",
        )
      }).pipe(Effect.provide(SpillFolder.layer({ root }))),
    ),
  )

  it.live("gives what was read again in one piece, also of one endless line", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const wide = Array.from({ length: 3_000 }, (_, i) => `${i} ${"x".repeat(95)}`).join("\n")
        for (const text of ["x".repeat(200_000), wide]) {
          const tools = Toolbox.make(bodied("give", Effect.succeed(text)), readFileTool)
          const runner = yield* ToolRunner.make(tools)
          const { spill = "" } = yield* runner.execute(call("give"))
          const again = yield* runner.execute(call("read_file", { path: spill }))
          expect(again).not.toHaveProperty("spill")
          expect(textOf(again)).not.toContain("are left out here")
          expect(textOf(again)).toContain("Continue with offset")
        }
      }).pipe(Effect.provide(SpillFolder.layer({ root }))),
    ),
  )

  it.live("is readable by its owner alone, and keeps equal texts once", () =>
    inWorkspace({}, (root) =>
      Effect.gen(function* () {
        const results = yield* Effect.all([give(long), give(long), give(`${long}!`)], { concurrency: 3 })
        const names = yield* Effect.promise(() => readdir(join(root, folder)))
        const paths = names.map((name) => `${folder}/${name}`)
        expect(new Set(results.map(({ spill }) => spill))).toEqual(new Set(paths))
        expect(names).toHaveLength(2)
        const modes = [folder, ...paths].map((path) => statSync(join(root, path)).mode & 0o777)
        expect(modes).toEqual([0o700, 0o600, 0o600])
        const texts = paths.map((path) => readFileSync(join(root, path), "utf8"))
        expect(texts.sort()).toEqual([long, `${long}!`])
      }).pipe(Effect.provide(SpillFolder.layer({ root }))),
    ),
  )

  it.live("that cannot be made leaves the output cut", () =>
    inWorkspace({ ".effect-harness": "a file" }, (root) =>
      Effect.gen(function* () {
        const result = yield* give(long)
        expect([result.outcome, result.spill]).toEqual(["success", undefined])
      }).pipe(Effect.provide(SpillFolder.layer({ root }))),
    ),
  )
})
