/**
 * How much of the heap something holds on to.
 *
 * In:  a program that makes it, and hands it to `keep` while it is alive.      Out: the heap then, less the heap before.
 */
import type { Figures } from "../Row.ts"

/** Twice, a tick apart: what finalisers let go is collected only by the second. */
const settled = async (): Promise<number> => {
  for (let time = 0; time < 2; time++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

export const heapOf = async (
  run: (keep: (alive: unknown) => Promise<void>) => Promise<void>,
): Promise<Figures> => {
  const before = await settled()
  let held = before
  let kept: unknown
  await run(async (alive) => {
    kept = alive
    held = await settled()
  })
  if (kept === undefined) throw new Error("nothing was kept")
  return { heapBytes: held - before }
}
