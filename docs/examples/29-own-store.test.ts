import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { StoreConformance } from "effect-harness/testing"
import { layer, type Shelf } from "./28-own-store.ts"

const texts = new Map<string, string>()
const shelf: Shelf = {
  get: async (key) => texts.get(key),
  append: async (key, at, text) => {
    const before = texts.get(key) ?? ""
    if (before.length === at) texts.set(key, before + text)
    return before.length === at
  },
  keys: async () => [...texts.keys()],
}

describe("the store on a shelf", () => {
  const store = layer(shelf)
  for (const { name, effect } of StoreConformance.cases({ store, crash: Effect.succeed(store) })) {
    it.live(name, () => effect)
  }
})
