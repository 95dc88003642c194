/**
 * One tool call end to end: the model's text in, a result that the model can read out.
 *
 * Ours goes through the total door, `ToolRunner.execute`, as the loop does, with and without a span around it.
 */
import { Effect, Exit } from "effect"
import * as Operation from "../../../src/telemetry/Operation.ts"
import * as Telemetry from "../../../src/telemetry/Telemetry.ts"
import * as ToolRunner from "../../../src/tool/ToolRunner.ts"
import { isSmall } from "../inputs/hand.ts"
import { output } from "../inputs/script.ts"
import { toolbox } from "../inputs/tools.ts"
import type { Row, Work } from "../Row.ts"

const call = { callId: "call-1", name: "read", arguments: '{"path":"src/index.ts","line":12}' }

const floor = (): Work => {
  const body = async (args: Parameters<typeof output>[1]) => output(call.name, args)
  const once = async (text: string) => {
    const args: unknown = JSON.parse(text)
    if (!isSmall(args)) throw new Error("refused")
    return { callId: call.callId, isError: false, content: [{ type: "text", text: await body(args) }] }
  }
  return {
    kind: "repeated",
    run: async (times) => {
      for (let time = 0; time < times; time++) {
        const { isError } = await once(call.arguments)
        if (isError) throw new Error("failed")
      }
    },
  }
}

const succeeds = (execute: Effect.Effect<{ readonly isError: boolean }>): Work => {
  const loop = Effect.fnUntraced(function* (times: number) {
    for (let time = 0; time < times; time++) {
      const { isError } = yield* execute
      if (isError) return yield* Effect.die(new Error("failed"))
    }
  })
  return { kind: "repeated", run: (times) => Effect.runPromise(loop(times)) }
}

const plain = async (): Promise<Work> => {
  const runner = await Effect.runPromise(ToolRunner.make(toolbox))
  return succeeds(Effect.suspend(() => runner.execute(call)))
}

const traced = async (): Promise<Work> => {
  const runner = await Effect.runPromise(ToolRunner.make(toolbox))
  const telemetry = await Effect.runPromise(Effect.provide(Telemetry.Telemetry, Telemetry.layer))
  if (telemetry === undefined) throw new Error("telemetry is off")
  const operation = { conversation: "bench", turn: 1, step: 1, callId: call.callId, tool: call.name }
  const once = Effect.suspend(() =>
    telemetry.observe(Operation.executeTool(operation), runner.execute(call), (exit) =>
      Operation.toolEnded(call.name, Exit.isSuccess(exit) ? exit.value : undefined),
    ),
  )
  return succeeds(once)
}

export const toolCall: Row = {
  name: "call",
  title: "One tool call",
  floorIs: "`JSON.parse`, a check written by hand, an async function awaited, the result as an object",
  lines: [
    { name: "call/plain", title: "spans off", aims: [{ against: "floor", atMost: 1.5 }] },
    { name: "call/traced", title: "spans on", aims: [{ against: "floor", atMost: 4 }] },
  ],
  floor: { "call/plain": floor, "call/traced": floor },
  ours: { "call/plain": plain, "call/traced": traced },
}
