/**
 * Where new ids come from, so that tests and seeds can reproduce them.
 *
 * In:  nothing.      Out: the `Ids` reference; its default draws random UUIDs.
 * Not here: ids that a model or a provider chose.
 */
import { Context, Layer } from "effect"

export interface Ids {
  /** Make an id never made before in this process. */
  readonly next: (kind: "session" | "message" | "call") => string
}

export const Ids = Context.Reference<Ids>("effect-harness/message/Ids", {
  defaultValue: () => ({ next: () => globalThis.crypto.randomUUID() }),
})

/** Count instead of drawing: `message-1`, `message-2` …; the same in every run. */
export const sequential = (): Ids => {
  const counts = new Map<string, number>()
  return {
    next: (kind) => {
      const n = (counts.get(kind) ?? 0) + 1
      counts.set(kind, n)
      return `${kind}-${n}`
    },
  }
}

/** Count anew wherever the layer is built. */
export const layerSequential: Layer.Layer<never> = Layer.sync(Ids, sequential)
