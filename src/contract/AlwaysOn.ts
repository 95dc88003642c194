/**
 * The rules marked A: what keeps a log readable and keeps side effects from doubling.
 *
 * In:  nothing.      Out: `alwaysOn`, all of them; `aboutOne`, those about one event alone; `numbering`, `beginning` and `byType`, the others.
 * Not here: the rules that only development and the verifier check (`invariant/`).
 * Source: PROTOCOL "Rules".
 */
import { callUnique, inboxUnique } from "./idRules.ts"
import { logEpoch, logLossless, logSeq, logStart, logVersion } from "./logRules.ts"
import type { Rule } from "./Rule.ts"
import { approvalSingle, rerunAllowed } from "./startRules.ts"

/** Number the events, from the one that begins the log: the two rules that look at every event, chunks too. */
export const numbering: Rule = logSeq
export const beginning: Rule = logStart

/** The rules that look at some types of events only. */
export const byType: ReadonlyArray<Rule> = [logEpoch, callUnique, inboxUnique, approvalSingle, rerunAllowed]

/** The rules about one event alone; `event/EventCodec` has decided them before an event exists. */
export const aboutOne: ReadonlyArray<Rule> = [logVersion, logLossless]

export const alwaysOn: ReadonlyArray<Rule> = [numbering, ...aboutOne, beginning, ...byType]
