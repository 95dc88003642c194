/**
 * Hold every session to all rules while it runs: for tests and development, absent in production.
 *
 * In:  what `session/Observer` hears.      Out: a layer that provides the observer; logged data deeply frozen.
 * Fails with: `InvariantViolated`, thrown as a defect at the first break, before commit: log, state and history stay as they were.
 * Not here: logs at rest (`Verifier.ts`), the rules always on (`contract/`).
 */
import { Context, Effect, Layer } from "effect"
import { aboutOne } from "../contract/AlwaysOn.ts"
import * as Course from "../contract/Course.ts"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as History from "../session/History.ts"
import { Observer, type SessionObserver } from "../session/Observer.ts"
import { InvariantViolated, type UnknownInvariant } from "./InvariantError.ts"
import { deepFreeze } from "./log.ts"
import type { Observation } from "./Observation.ts"
import * as Rules from "./Rules.ts"
import type { LogViolation } from "./Verifier.ts"

export interface SessionViolation extends Required<LogViolation> {
  readonly sessionId: string
}

export interface Options extends Rules.Selection {
  /** `die` at the first break, which is the rule; or `collect` all of them (`violations`) and let sessions go on. */
  readonly mode?: "die" | "collect"
  /** Freeze what is logged; true unless given. Without it log.frozen asks for data that is frozen already. */
  readonly freeze?: boolean
}

/** What a layer that collects has found. */
const Collected = Context.Reference<Array<SessionViolation> | undefined>(
  "effect-harness/invariant/Collected",
  {
    defaultValue: () => undefined,
  },
)

/**
 * Check every event, request, status and acknowledgement of every session that is opened under this layer.
 *
 * What it remembers belongs to one open session, so sessions and tests that share the layer share nothing else.
 * Errors: UnknownInvariant when a name in `only` or `except` fits no rule, or no rule is left; dies when two rules have one id.
 * @example docs/examples/34-own-rule.ts
 */
export function layer(
  options?: Options & { readonly only?: never; readonly except?: never },
): Layer.Layer<never>
export function layer(options: Options): Layer.Layer<never, UnknownInvariant>
export function layer(options: Options = {}): Layer.Layer<never, UnknownInvariant> {
  return Layer.effectContext(
    Effect.map(
      Effect.suspend(() => Effect.fromResult(Rules.select(options))),
      (selected) => {
        const found: Array<SessionViolation> | undefined = options.mode === "collect" ? [] : undefined
        const report = (violation: SessionViolation): void => {
          if (found === undefined) throw violated(violation)
          found.push(violation)
        }
        const { freeze } = options
        return Context.make(
          Observer,
          observer(selected, { report, ...(freeze !== undefined && { freeze }) }),
        ).pipe(Context.add(Collected, found))
      },
    ),
  )
}

/** What was broken so far, in the order in which it was found. Dies where no layer collects. */
export const violations: Effect.Effect<ReadonlyArray<SessionViolation>> = Effect.flatMap(
  Effect.service(Collected),
  (collected) =>
    collected === undefined
      ? Effect.die(new Error('nothing collects here: provide DevInvariants.layer({ mode: "collect" })'))
      : Effect.succeed([...collected]),
)

/** Watch by some rules and hand over what they find: what the layer is made of. `report` may throw. */
export const observer = (
  selected: Rules.Selected,
  {
    report,
    freeze = true,
  }: { readonly report: (violation: SessionViolation) => void; readonly freeze?: boolean },
): Observer => {
  // The codec that made the event has decided what one event alone can break.
  const log = selected.log.filter((rule) => rule.mode !== "O" && !aboutOne.includes(rule))
  return {
    watch: (sessionId, existing) => {
      const start = { log: Course.ofLog(log), live: Course.ofSession(selected.live) }
      return watch({ start, freeze, report: (found) => report({ sessionId, ...found }) }, existing)
    },
  }
}

interface Watching {
  readonly start: {
    readonly log: Course.Course<SessionEvent>
    readonly live: Course.Course<Observation>
  }
  readonly freeze: boolean
  readonly report: (violation: Required<LogViolation>) => void
}

const watch = (
  { start, freeze, report }: Watching,
  existing: ReadonlyArray<SessionEvent>,
): SessionObserver => {
  let { log, live } = start
  let history = History.initial
  let seq = -1

  const at = (seqOfBreak: number) => (rule: Rule<SessionEvent> | Rule<Observation>, message: string) =>
    report({ rule: rule.id, seq: seqOfBreak, message, hint: rule.hint })

  const take = (events: ReadonlyArray<SessionEvent>): void => {
    // Nothing is kept before all of the batch has passed.
    let [nextLog, nextLive, nextHistory] = [log, live, history]
    for (const event of events) nextLog = nextLog.advance(event, at(event.seq))
    for (const event of events) {
      if (freeze) deepFreeze(event)
      nextHistory = History.next(nextHistory, event)
      nextLive = nextLive.advance({ kind: "logged", event, history: nextHistory }, at(event.seq))
    }
    log = nextLog
    live = nextLive
    history = nextHistory
    seq = events.at(-1)?.seq ?? seq
  }

  const observe = (observation: Observation): void => {
    live = live.advance(observation, at(seq))
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

const violated = ({ sessionId, rule, seq, hint, message }: SessionViolation): InvariantViolated =>
  new InvariantViolated({
    sessionId,
    rule,
    seq,
    hint,
    message: `${rule} is broken at seq ${seq} of session ${sessionId}: ${message}. ${hint}`,
  })
