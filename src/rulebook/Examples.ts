/**
 * A lawful and an unlawful log for every rule, short enough to be read: what `check --explain` shows.
 *
 * In:  the id of a rule.      Out: its example: events, or for a rule marked live what the running session did.
 * Not here: the rules (`contract/`, `invariant/`), the thorough mutants of them (`mutant/`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Observation } from "../invariant/Observation.ts"
import type { Example } from "./Example.ts"
import { liveExamples } from "./liveExamples.ts"
import { logExamples } from "./logExamples.ts"

/** The example of a rule over stored logs. */
export const ofLog = (rule: string): Example<SessionEvent> | undefined =>
  Object.hasOwn(logExamples, rule) ? logExamples[rule] : undefined

/** The example of a rule that needs the running process. */
export const ofLive = (rule: string): Example<Observation> | undefined =>
  Object.hasOwn(liveExamples, rule) ? liveExamples[rule] : undefined

/** Why a rule has no example, where it has none. */
export const whyNone = (rule: string): string | undefined =>
  rule === "history.replay"
    ? "No example can be written down: what breaks it is an event that changes after it was logged, and any list of events shows but one moment."
    : undefined
