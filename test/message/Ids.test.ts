import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { Ids, layerSequential } from "../../src/message/Ids.ts"

const draw = Effect.map(Ids, (ids) => [ids.next("call"), ids.next("message"), ids.next("call")])

describe("ids", () => {
  it.effect("of the sequential layer count by kind, and anew in each build", () =>
    Effect.gen(function* () {
      const first = yield* Effect.provide(draw, layerSequential)
      expect(first).toEqual(["call-1", "message-1", "call-2"])
      expect(yield* Effect.provide(draw, layerSequential)).toEqual(first)
    }),
  )

  it.effect("are never the same without it", () =>
    Effect.map(draw, (ids) => expect(new Set(ids).size).toBe(3)),
  )
})
