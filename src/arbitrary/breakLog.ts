/**
 * Break a lawful log at a place that it has, so that it is known which rule says so.
 *
 * In:  a lawful log.      Out: every break of it that this room knows how to make, each with its rule.
 * Not here: a break for every rule (`mutant/Mutants.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"

export interface Unlawful {
  readonly log: ReadonlyArray<SessionEvent>
  /** Among the rules that are broken; there may be others, since much rests on what is gone. */
  readonly rule: string
  readonly what: string
}

type Log = ReadonlyArray<SessionEvent>

interface Broken {
  readonly rule: string
  readonly what: string
  /** What stands there instead of the event. */
  readonly events: Log
}

export const breakLog = (log: Log): ReadonlyArray<Unlawful> =>
  log.flatMap((event, at) =>
    breakEvent(event).map(({ events, rule, what }) => ({
      log: renumber([...log.slice(0, at), ...events, ...log.slice(at + 1)]),
      rule,
      what,
    })),
  )

const renumber = (log: Log): Log => log.map((event, seq) => ({ ...event, seq }))

const gone = (rule: string, what: string): Broken => ({ rule, what, events: [] })
const twice = (event: SessionEvent, rule: string, what: string): Broken => ({
  rule,
  what,
  events: [event, event],
})
const instead = (event: SessionEvent, rule: string, what: string): Broken => ({ rule, what, events: [event] })

const breakEvent = (event: SessionEvent): ReadonlyArray<Broken> => {
  switch (event.type) {
    case "user/message":
    case "steering/message":
    case "context/message":
      return [twice(event, "inbox.unique", "a message that is accepted twice")]
    case "turn/start": {
      const data = { ...event.data, turn: event.data.turn + 1 }
      return [
        twice(event, "turn.nests", "a turn in a turn"),
        instead({ ...event, data }, "turn.counts", "a turn number that is skipped"),
      ]
    }
    case "step/start":
      return [twice(event, "step.nests", "a step in a step")]
    case "step/end":
      return [gone("step.nests", "a step without its end")]
    case "usage":
      return [twice(event, "step.usageOnce", "usage that is told twice")]
    case "tool/call": {
      const data = { ...event.data, arguments: `${event.data.arguments} ` }
      return [instead({ ...event, data }, "call.fromMessage", "a call with other arguments than its block")]
    }
    case "tool/result":
      return [
        twice(event, "result.paired", "a result that comes twice"),
        gone("result.allAtStepEnd", "a call without a result"),
      ]
    case "turn/end":
      return [twice(event, "turn.closedIsClosed", "a turn that ends twice")]
    default:
      return []
  }
}
