/**
 * The rules marked A: what keeps a log readable and keeps side effects from doubling.
 *
 * In:  nothing.      Out: `alwaysOn`, all of them; `inOrder`, those that look at more than one event; `aboutOne`, the others.
 * Not here: the rules that only development and the verifier check (`invariant/`).
 * Source: PROTOCOL "Rules".
 */
import { callUnique, inboxUnique } from "./idRules.ts"
import { logEpoch, logLossless, logSeq, logStart, logVersion } from "./logRules.ts"
import type { Rule } from "./Rule.ts"
import { approvalSingle, rerunAllowed } from "./startRules.ts"

/** Number the events; the only rule for which a chunk changes anything. */
export const numbering: Rule = logSeq

export const inOrder: ReadonlyArray<Rule> = [
  logStart,
  logEpoch,
  callUnique,
  inboxUnique,
  approvalSingle,
  rerunAllowed,
]

/** The rules about one event alone; `event/EventCodec` has decided them before an event exists. */
export const aboutOne: ReadonlyArray<Rule> = [logVersion, logLossless]

export const alwaysOn: ReadonlyArray<Rule> = [numbering, ...aboutOne, ...inOrder]
