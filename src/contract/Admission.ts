/**
 * Whether an event may follow what was admitted before it: one pure fold, the same at append and at load.
 *
 * In:  a state, a numbered event of `event/EventCodec`, the seq that is due.      Out: the next state.
 * Fails with: `Refused`; the state given stays good, so a batch that is refused leaves nothing behind.
 * Not here: payloads (`event/EventCodec`, which has decided log.version and log.lossless), the rules (`AlwaysOn.ts`).
 */
import { Result } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { beginning, byType, numbering } from "./AlwaysOn.ts"
import { listenersOf } from "./listeners.ts"
import { misbegun, misnumbered } from "./logRules.ts"
import { nowhere } from "./Place.ts"
import type { Fold } from "./Rule.ts"

/** Which rule an event would break, and how. */
export class Refused {
  readonly rule: string
  readonly message: string
  constructor(rule: string, message: string) {
    this.rule = rule
    this.message = message
  }
}

/** Where the always-on rules stand that look at some types only. What the others have to remember is the seq that is due. */
export type Admission = ReadonlyArray<Fold<SessionEvent>>

export const initial: Admission = byType.map((rule) => rule.fold)

const listeners = listenersOf(byType)

/** Admit one event. A rule is only told the events whose types it names. */
export const admit = (state: Admission, event: SessionEvent, due: number): Admission | Refused => {
  if (event.seq !== due) return new Refused(numbering.id, misnumbered(event, due))
  const wrong = misbegun(event, due > 0)
  if (wrong !== undefined) return new Refused(beginning.id, wrong)
  let next: Array<Fold<SessionEvent>> | undefined
  for (const { rule, at } of listeners(event)) {
    const fold = state[at] ?? rule.fold
    // No always-on rule asks where in the log it is.
    const stepped = fold.step(event, nowhere)
    if (stepped === fold) continue
    const [first] = stepped.broken
    if (first !== undefined) return new Refused(rule.id, first)
    next ??= state.slice()
    next[at] = stepped
  }
  return next ?? state
}

/** Admit a whole log, or say which of its events is the first that is refused. */
export const admitAll = (
  events: ReadonlyArray<SessionEvent>,
): Result.Result<Admission, Refused & { readonly index: number }> => {
  let admission = initial
  for (const [index, event] of events.entries()) {
    const admitted = admit(admission, event, index)
    if (admitted instanceof Refused) return Result.fail({ ...admitted, index })
    admission = admitted
  }
  return Result.succeed(admission)
}
