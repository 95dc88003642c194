import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Inspection from "../../src/recovery/Inspection.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { callEcho, echo, tell } from "../flow/world.ts"
import { through } from "./cutLog.ts"

const log = Effect.suspend(() =>
  tell(
    [{ calls: [callEcho("a", "c1")] }, { text: "done" }],
    { tools: Toolbox.make(echo) },
    ({ agent, session }) => Effect.map(agent.prompt("go"), () => session.log()),
  ),
)

/** `echo`, as another version of a program has it. */
const later = defineTool({
  name: "echo",
  description: "Say a number back",
  parameters: { word: { type: "integer", required: true } },
  run: ({ word }) => Effect.succeed(word),
})

describe("inspect", () => {
  it.effect("finds nothing when the tools are those of the log", () =>
    Effect.gen(function* () {
      const found = yield* Inspection.inspect(yield* log, Toolbox.make(echo))
      expect(found).toEqual({ missing: [], changed: [], misfits: [] })
      expect(Inspection.toLines(found)).toEqual([])
    }),
  )

  it.effect("names tools that are gone", () =>
    Effect.gen(function* () {
      const found = yield* Inspection.inspect(yield* log, Toolbox.empty)
      expect(found).toEqual({ missing: ["echo"], changed: [], misfits: [] })
      expect(Inspection.toLines(found)).toEqual(["the tool echo is not there any more"])
    }),
  )

  it.effect(
    "names tools that changed, and calls that no longer decode; of those only open ones are told",
    () =>
      Effect.gen(function* () {
        const events = yield* log
        const whole = yield* Inspection.inspect(events, Toolbox.make(later))
        expect(whole).toMatchObject({
          changed: ["echo"],
          misfits: [{ callId: "c1", tool: "echo", isOpen: false, message: expect.stringContaining("word") }],
        })
        expect(Inspection.toLines(whole)).toHaveLength(1)
        const cut = yield* Inspection.inspect(through(events, "tool/call"), Toolbox.make(later))
        expect(Inspection.toLines(cut)[1]).toContain("the open call c1 of echo does not fit any more")
      }),
  )
})
