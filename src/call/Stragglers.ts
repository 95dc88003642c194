/**
 * The async bodies of an agent that were told to stop and have not: what they touch is closed to other calls.
 *
 * In:  a call whose body goes on, what it touches, and a promise of its end.      Out: who is in the way of another call.
 * Fails with: nothing.
 * Not here: how long a body is waited for first (`policy/Grace`), calls that are still waited for (`order.ts`).
 *
 * One that never ends keeps its resources closed as long as the agent lives: nobody knows what it will still do. It
 * holds no slot. Another agent, or another process, knows nothing of it.
 */
import type { ToolCall } from "../message/ToolCall.ts"
import { conflict, type Resources } from "../policy/Resources.ts"

export interface Stragglers {
  readonly add: (call: ToolCall, resources: Resources, until: Promise<unknown>) => void
  /** The first whose body conflicts with these resources. */
  readonly inTheWayOf: (resources: Resources) => ToolCall | undefined
}

/** Make the memory of one agent. */
export const make = (): Stragglers => {
  const running = new Map<ToolCall, Resources>()
  return {
    add: (call, resources, until) => {
      running.set(call, resources)
      void until.then(() => running.delete(call))
    },
    inTheWayOf: (resources) => {
      if (running.size === 0) return undefined
      for (const [call, touched] of running) if (conflict(touched, resources)) return call
      return undefined
    },
  }
}
