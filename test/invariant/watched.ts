/**
 * Tell an observer things by hand and see what it finds.
 */
import { Effect } from "effect"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import * as Rules from "../../src/invariant/Rules.ts"

export const watched = Effect.fnUntraced(function* (
  existing: ReadonlyArray<SessionEvent>,
  { freeze = true, ...selection }: Omit<DevInvariants.Options, "mode"> = {},
) {
  const found: Array<DevInvariants.SessionViolation> = []
  const selected = yield* Effect.fromResult(Rules.select(selection))
  const observer = DevInvariants.observer(selected, { freeze, report: (one) => found.push(one) })
  return { found, session: observer.watch("s", existing) }
})
