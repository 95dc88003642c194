/**
 * The store that outlives the processes of one run: it may fail, and a crash may cost it what was not safe.
 *
 * In:  appends, and choices.      Out: a `SessionStore` for each process; what is kept, after a crash as well.
 * Fails with: `StoreUnavailable` where that is chosen; the same for every later append of that process.
 * Order: an append is done at once when it is chosen to be next, and told after; a crash may come between.
 * Not here: how often there may be trouble (`Explore.Faults`), what is made of a log after a crash (`live.ts`).
 */
import { Effect } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogWriter, SessionStore } from "../store/SessionStore.ts"
import { SessionExists, SessionNotFound, StoreUnavailable } from "../store/StoreError.ts"
import type { Machine } from "./machine.ts"
import type { Tell } from "./story.ts"

/** How much trouble is left that a run may still have. */
export interface Left {
  crashes: number
  storeFailures: number
  cuts: number
}

export interface Medium {
  readonly storeOf: (machine: Machine) => SessionStore["Service"]
  readonly events: () => ReadonlyArray<SessionEvent>
  /** The calls that ever had a result, also when a crash lost it again. */
  readonly answered: ReadonlySet<string>
  /** Whether a write of the latest process failed. */
  readonly hasFailed: () => boolean
}

/** Every durability is asked for; what is only written a crash may lose, from its end. */
type Asked = Parameters<LogWriter["append"]>[1]

export const make = (left: Left, tell: Tell): Medium => {
  let kept: ReadonlyArray<SessionEvent> = []
  let synced = 0
  const answered = new Set<string>()
  let failure: StoreUnavailable | undefined

  const note = (events: ReadonlyArray<SessionEvent>) => {
    for (const event of events) if (event.type === "tool/result") answered.add(event.data.callId)
    tell.log(events)
  }

  const keep = (events: ReadonlyArray<SessionEvent>) => {
    kept = [...kept, ...events]
    note(events)
  }

  /** Half of it may be there, and nobody hears which. */
  const fail = (events: ReadonlyArray<SessionEvent>, { choices }: Machine) => {
    const survivors = choices.choose("kept", events.length + 1)
    keep(events.slice(0, survivors))
    failure = new StoreUnavailable({ operation: "append", reason: "EIO", message: "append failed: EIO" })
    left.storeFailures -= 1
    tell.say(`the store fails; of ${counted(events)} it keeps ${survivors}`)
    return Effect.fail(failure)
  }

  const crash = (events: ReadonlyArray<SessionEvent>, machine: Machine) => {
    const all = [...kept, ...events]
    const lost = machine.choices.choose("kept", all.length - synced + 1)
    kept = all.slice(0, all.length - lost)
    synced = kept.length
    left.crashes -= 1
    machine.stop()
    note(events)
    tell.say(`the process crashes; the log keeps ${kept.length} of ${counted(all)}`)
    return Effect.never
  }

  const append = (machine: Machine, events: ReadonlyArray<SessionEvent>, durability: Asked) => {
    if (failure !== undefined) return Effect.fail(failure)
    const outcomes = [
      () => {
        keep(events)
        if (durability === "synced") synced = kept.length
        return Effect.void
      },
      ...(left.crashes > 0 ? [() => crash(events, machine)] : []),
      ...(left.storeFailures > 0 ? [() => fail(events, machine)] : []),
    ]
    const chosen = outcomes[machine.choices.choose("append", outcomes.length)]
    return chosen === undefined ? Effect.void : chosen()
  }

  const storeOf = (machine: Machine): SessionStore["Service"] => {
    failure = undefined
    const writer: LogWriter = {
      append: (events, durability) => machine.wait(() => append(machine, events, durability)),
    }
    return {
      create: (id) =>
        Effect.suspend(() => (kept.length > 0 ? Effect.fail(exists(id)) : Effect.succeed(writer))),
      open: (id) =>
        Effect.suspend(() => {
          synced = kept.length
          return kept.length === 0 ? Effect.fail(missing(id)) : Effect.succeed({ events: kept, writer })
        }),
      read: (id) =>
        Effect.suspend(() => (kept.length === 0 ? Effect.fail(missing(id)) : Effect.succeed(kept))),
      list: Effect.succeed([]),
      locate: (id) => `explored:${id}`,
    }
  }

  return { storeOf, events: () => kept, answered, hasFailed: () => failure !== undefined }
}

const counted = ({ length }: ReadonlyArray<unknown>): string =>
  `${length} ${length === 1 ? "event" : "events"}`

const exists = (id: string) => new SessionExists({ id, message: `session ${id} exists already` })
const missing = (id: string) => new SessionNotFound({ id, message: `there is no session ${id}` })
