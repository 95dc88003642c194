/**
 * Whether an event may follow what was admitted before it: one pure fold, the same at append and at load.
 *
 * In:  a state and a numbered event of `event/EventCodec`.      Out: the next state.
 * Fails with: `Refused`; the state given stays good, so a batch that is refused leaves nothing behind.
 * Not here: payloads (`event/EventCodec`, which has decided log.version and log.lossless), the rules (`AlwaysOn.ts`).
 */
import { Result } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { inOrder, numbering } from "./AlwaysOn.ts"
import { listenersOf } from "./listeners.ts"
import { misnumbered } from "./logRules.ts"
import { nowhere } from "./Place.ts"
import type { Fold } from "./Rule.ts"

/** Which rule an event would break, and how. */
export interface Refused {
  readonly rule: string
  readonly message: string
}

/** Where the always-on rules stand. */
export interface Admission {
  /** The seq that is due; the one rule for which every event changes something, so no fold. */
  readonly due: number
  readonly others: ReadonlyArray<Fold<SessionEvent>>
}

export const initial: Admission = { due: 0, others: inOrder.map((rule) => rule.fold) }

const listeners = listenersOf(inOrder)

/** Admit one event. A rule is only told the events whose types it names. */
export const admit = (state: Admission, event: SessionEvent): Result.Result<Admission, Refused> => {
  if (event.seq !== state.due)
    return Result.fail({ rule: numbering.id, message: misnumbered(event, state.due) })
  let others: Array<Fold<SessionEvent>> | undefined
  for (const { rule, at } of listeners(event)) {
    const fold = state.others[at] ?? rule.fold
    const next = step(fold, event)
    const [first] = next.broken
    if (first !== undefined) return Result.fail({ rule: rule.id, message: first })
    if (next === fold) continue
    others ??= state.others.slice()
    others[at] = next
  }
  return Result.succeed({ due: state.due + 1, others: others ?? state.others })
}

/** Admit a whole log, or say which of its events is the first that is refused. */
export const admitAll = (
  events: ReadonlyArray<SessionEvent>,
): Result.Result<Admission, Refused & { readonly index: number }> => {
  let admission = initial
  for (const [index, event] of events.entries()) {
    const admitted = admit(admission, event)
    if (Result.isFailure(admitted)) return Result.fail({ ...admitted.failure, index })
    admission = admitted.success
  }
  return Result.succeed(admission)
}

/** No always-on rule asks where in the log it is. */
const step = (fold: Fold<SessionEvent>, event: SessionEvent) => fold.step(event, nowhere)
