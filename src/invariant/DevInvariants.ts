/**
 * Hold every session to all rules while it runs: for tests and development, absent in production.
 *
 * In:  what `session/Observer` hears.      Out: layers that provide the observer; logged data deeply frozen.
 * Fails with: `InvariantViolated`, thrown as a defect at the first break, before commit: log, state and history stay as they were.
 * Not here: logs at rest (`Verifier.ts`), the rules always on (`contract/`).
 */
import { Layer } from "effect"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { Observer, type SessionObserver } from "../session/Observer.ts"
import { InvariantViolated } from "./InvariantError.ts"
import { deepFreeze } from "./log.ts"
import type { Observation } from "./Observation.ts"
import * as Rules from "./Rules.ts"
import type { LogViolation } from "./Verifier.ts"

export interface SessionViolation extends LogViolation {
  readonly sessionId: string
}

export interface Options extends Rules.Selection {
  /** Freeze what is logged; true unless given. Without it log.frozen asks for data that is frozen already. */
  readonly freeze?: boolean
  /** Take every violation and let the session go on, instead of dying at the first. */
  readonly onViolation?: (violation: SessionViolation) => void
}

/**
 * Check all rules and die at the first break.
 *
 * Provide it around whatever opens sessions. What it remembers belongs to one open session, so sessions and tests
 * that share the layer share nothing else.
 */
export const layer: Layer.Layer<never> = Layer.sync(Observer, () => make({}))

/** The same with some rules only, without freezing, or collecting. Errors: dies when a name fits no rule. */
export const layerWith = (options: Options): Layer.Layer<never> => Layer.sync(Observer, () => make(options))

const make = (options: Options): Observer => {
  const rules = Rules.select(options)
  return { watch: (sessionId, existing) => watch({ rules, options, sessionId }, existing) }
}

interface Watched {
  readonly rules: Rules.Selected
  readonly options: Options
  readonly sessionId: string
}

const watch = (watched: Watched, existing: ReadonlyArray<SessionEvent>): SessionObserver => {
  const { rules, options } = watched
  let log = Rules.start(rules.log)
  let live = Rules.start(rules.live)
  let seq = -1

  const at = (seqOfBreak: number) => (rule: Rule<SessionEvent> | Rule<Observation>, message: string) =>
    report(watched, { rule: rule.id, seq: seqOfBreak, message, hint: rule.hint })

  const take = (events: ReadonlyArray<SessionEvent>): void => {
    let nextLog = log
    let nextLive = live
    for (const event of events) nextLog = Rules.advance(rules.log, nextLog, event, at(event.seq))
    for (const event of events) {
      if (options.freeze !== false) deepFreeze(event)
      nextLive = Rules.advance(rules.live, nextLive, { kind: "logged", event }, at(event.seq))
    }
    log = nextLog
    live = nextLive
    seq = events.at(-1)?.seq ?? seq
  }

  const observe = (observation: Observation): void => {
    live = Rules.advance(rules.live, live, observation, at(seq))
  }

  take(existing)
  observe({ kind: "opened" })
  return {
    onAppend: take,
    onStatus: (from, to) => observe({ kind: "status", from, to }),
    onAcknowledge: (ack) => observe({ kind: "acknowledged", ...ack }),
    onRequest: (messages) => observe({ kind: "request", messages }),
  }
}

const report = ({ options, sessionId }: Watched, violation: Required<LogViolation>): void => {
  if (options.onViolation !== undefined) {
    options.onViolation({ sessionId, ...violation })
    return
  }
  const { rule, seq, message, hint } = violation
  throw new InvariantViolated({
    sessionId,
    rule,
    seq,
    hint,
    message: `${rule} is broken at seq ${seq} of session ${sessionId}: ${message}. ${hint}`,
  })
}
