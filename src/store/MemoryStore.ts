/**
 * Logs in the memory of this process: for tests, and for sessions that nobody wants back.
 *
 * In:  numbered events.      Out: the same, as long as the layer lives; every durability is reached at once.
 * Not here: anything that survives the process (`JsonlStore.ts`).
 */
import { Clock, Effect, Layer, type Scope } from "effect"
import * as Contained from "../error/Contained.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { checkSeq } from "./checkSeq.ts"
import { isId, type LogWriter, refuseId, SessionStore, type WriteError } from "./SessionStore.ts"
import { SessionBusy, SessionNotFound } from "./StoreError.ts"
import { closed, exists } from "./unavailable.ts"

interface Entry {
  readonly events: Array<SessionEvent>
  holder: LogWriter | undefined
  updatedAt: number
}

class Writer implements LogWriter {
  readonly entry: Entry
  readonly clock: Clock.Clock

  constructor(entry: Entry, clock: Clock.Clock) {
    this.entry = entry
    this.clock = clock
  }

  append(events: ReadonlyArray<SessionEvent>): Append {
    return new Append(this, events)
  }
}

/** Over with its first step, so that a session need not fork to write. */
class Append extends Contained.Called<void, WriteError, never> {
  private readonly writer: Writer
  private readonly events: ReadonlyArray<SessionEvent>

  constructor(writer: Writer, events: ReadonlyArray<SessionEvent>) {
    super()
    this.writer = writer
    this.events = events
  }

  begin(): ReturnType<LogWriter["append"]> {
    const { entry, clock } = this.writer
    if (entry.holder !== this.writer) return Effect.fail(closed())
    const conflict = checkSeq(this.events, entry.events.length)
    if (conflict !== undefined) return Effect.fail(conflict)
    for (const event of this.events) entry.events.push(event)
    entry.updatedAt = clock.currentTimeMillisUnsafe()
    return Effect.void
  }

  asEffect(): ReturnType<LogWriter["append"]> {
    return this.begin()
  }
}

/** Hold an entry until the scope closes. */
const hold = (id: string, entry: Entry): Effect.Effect<LogWriter, SessionBusy, Scope.Scope> => {
  const take = Clock.clockWith((clock) => {
    if (entry.holder !== undefined)
      return Effect.fail(new SessionBusy({ id, message: `session ${id} is open already` }))
    entry.holder = new Writer(entry, clock)
    return Effect.succeed(entry.holder)
  })
  return Effect.acquireRelease(take, () =>
    Effect.sync(() => {
      entry.holder = undefined
    }),
  )
}

const notFound = (id: string) => new SessionNotFound({ id, message: `there is no session ${id}` })

const make = (): SessionStore["Service"] => {
  const entries = new Map<string, Entry>()
  const find = (id: string) =>
    Effect.suspend(() => {
      const entry = entries.get(id)
      return entry === undefined ? Effect.fail(notFound(id)) : Effect.succeed(entry)
    })
  return {
    create: (id) =>
      Effect.suspend((): ReturnType<SessionStore["Service"]["create"]> => {
        if (!isId(id)) return Effect.fail(refuseId(id))
        const entry: Entry = entries.get(id) ?? { events: [], holder: undefined, updatedAt: 0 }
        if (entry.events.length > 0) return Effect.fail(exists(id))
        entries.set(id, entry)
        return hold(id, entry)
      }),
    open: (id) =>
      Effect.gen(function* () {
        const entry = yield* find(id)
        const writer = yield* hold(id, entry)
        return { events: [...entry.events], writer }
      }),
    read: (id) => Effect.map(find(id), (entry) => [...entry.events]),
    list: Effect.sync(() =>
      Array.from(entries, ([id, entry]) => ({
        id,
        location: locate(id),
        updatedAt: entry.updatedAt,
        sizeBytes: new TextEncoder().encode(JSON.stringify(entry.events)).length,
      })).sort((a, b) => b.updatedAt - a.updatedAt),
    ),
    locate,
  }
}

const locate = (id: string): string => `memory:${id}`

/** One map of logs, shared by everything that this layer is provided to. */
export const layer: Layer.Layer<SessionStore> = Layer.sync(SessionStore, make)
