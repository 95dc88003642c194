/**
 * Tell an observer things by hand and see what it finds.
 */
import { Effect } from "effect"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { Observer } from "../../src/session/Observer.ts"

export const watched = Effect.fnUntraced(function* (
  existing: ReadonlyArray<SessionEvent>,
  options: DevInvariants.Options = {},
) {
  const found: Array<DevInvariants.SessionViolation> = []
  const layer = DevInvariants.layerWith({ onViolation: (one) => found.push(one), ...options })
  const observer = yield* Effect.provide(Effect.service(Observer), layer)
  if (observer === undefined) return yield* Effect.die("the layer provides no observer")
  return { found, session: observer.watch("s", existing) }
})
