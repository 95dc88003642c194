/**
 * Hold every session to all rules while it runs: for tests and development, absent in production.
 *
 * In:  what `session/Observer` hears.      Out: a layer that provides the observer; logged data deeply frozen.
 * Fails with: `InvariantViolated`, thrown as a defect at the first break, before commit: log, state and history stay as they were.
 * Not here: logs at rest (`Verifier.ts`), the rules always on (`contract/`).
 */
import { Context, Effect, Layer, Result } from "effect"
import { aboutOne } from "../contract/AlwaysOn.ts"
import * as Course from "../contract/Course.ts"
import type { Rule } from "../contract/Rule.ts"
import { deepFreeze } from "../event/Frozen.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as History from "../session/History.ts"
import { Observer, type SessionObserver } from "../session/Observer.ts"
import { InvariantViolated, UnknownInvariant } from "./InvariantError.ts"
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
 * Errors: UnknownInvariant when a name in `only` or `except` fits no rule, or none is left that a running session can be held
 * to; dies when two rules have one id, or one's own has none of the form group.name.
 * @example docs/examples/34-own-rule.ts
 */
export function layer(
  options?: Options & { readonly only?: never; readonly except?: never },
): Layer.Layer<never>
export function layer(options: Options): Layer.Layer<never, UnknownInvariant>
export function layer(options: Options = {}): Layer.Layer<never, UnknownInvariant> {
  const picked = Effect.suspend(() => Effect.fromResult(pick(options)))
  return Layer.unwrap(Effect.map(picked, (selected) => layerOf(selected, options)))
}

/** The same by rules that are picked already, also where all of them are for stored logs only. */
export const layerOf = (
  selected: Rules.Selected,
  { mode, freeze }: Pick<Options, "mode" | "freeze">,
): Layer.Layer<never> =>
  Layer.effectContext(
    Effect.sync(() => {
      const found: Array<SessionViolation> | undefined = mode === "collect" ? [] : undefined
      const report = (violation: SessionViolation): void => {
        if (found === undefined) throw violated(violation)
        found.push(violation)
      }
      const watching = observer(selected, { report, ...(freeze !== undefined && { freeze }) })
      return Context.make(Observer, watching).pipe(Context.add(Collected, found))
    }),
  )

const pick = (options: Options): Result.Result<Rules.Selected, UnknownInvariant> =>
  Result.filterOrFail(
    Rules.select(options),
    ({ log, live }) => live.length > 0 || log.some(isHeldLive),
    ({ log }) => noneIsHeldLive(log),
  )

/** The codec that made an event has decided what one event alone can break. */
const isHeldLive = (rule: Rule): boolean => rule.mode !== "O" && !aboutOne.includes(rule)

const noneIsHeldLive = (log: ReadonlyArray<Rule>): UnknownInvariant => {
  const stored = log.filter(({ mode }) => mode === "O").map(({ id }) => id)
  const decided = log.filter((rule) => aboutOne.includes(rule)).map(({ id }) => id)
  const why = [
    ...(stored.length === 0 ? [] : [`for stored logs only (Verifier, check): ${stored.join(", ")}`]),
    ...(decided.length === 0 ? [] : [`decided when an event is made, always: ${decided.join(", ")}`]),
  ]
  const message = `no invariant is left that a running session can be held to; ${why.join("; ")}`
  return new UnknownInvariant({ name: "", nearest: [], message })
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
  const log = selected.log.filter(isHeldLive)
  return {
    watch: (sessionId, existing) => {
      const courses = { log: Course.ofLog(log).owned(), live: Course.ofSession(selected.live).owned() }
      return watch({ ...courses, freeze, report: (found) => report({ sessionId, ...found }) }, existing)
    },
  }
}

interface Watching {
  readonly log: Course.Owned<SessionEvent>
  readonly live: Course.Owned<Observation>
  readonly freeze: boolean
  readonly report: (violation: Required<LogViolation>) => void
}

const watch = (
  { log, live, freeze, report }: Watching,
  existing: ReadonlyArray<SessionEvent>,
): SessionObserver => {
  let history = History.initial
  let seq = -1
  /** Of the event that is judged, or of the latest one. */
  let judged = -1
  const onBroken = (rule: Rule<SessionEvent> | Rule<Observation>, message: string): void =>
    report({ rule: rule.id, seq: judged, message, hint: rule.hint })

  /** Nothing is kept before all of the batch has passed. */
  const take = (events: ReadonlyArray<SessionEvent>): void => {
    log.begin()
    live.begin()
    try {
      for (const event of events) {
        judged = event.seq
        log.move(event, onBroken)
      }
      let next = history
      for (const event of events) {
        if (freeze) deepFreeze(event)
        next = History.next(next, event)
        judged = event.seq
        live.move({ kind: "logged", event, history: next }, onBroken)
      }
      history = next
      seq = events.at(-1)?.seq ?? seq
    } catch (cause) {
      log.undo()
      live.undo()
      throw cause
    }
  }

  const observe = (observation: Observation): void => {
    live.begin()
    judged = seq
    try {
      live.move(observation, onBroken)
    } catch (cause) {
      live.undo()
      throw cause
    }
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
