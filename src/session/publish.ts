/**
 * Tell listeners about events in seq order, each as soon as the durability it waits for is reached.
 *
 * In:  accepted events, and the marks up to which the medium holds them.      Out: calls of listeners.
 * Order: an event never overtakes an earlier one, so a chunk may wait for what stands before it.
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Durability } from "../store/SessionStore.ts"

/** The last seq that is written, and the last that is synced; -1 for none. */
export interface Marks {
  readonly written: number
  readonly synced: number
}

export const reached = (marks: Marks, durability: Durability, seq: number): boolean =>
  durability === "accepted" || seq <= (durability === "written" ? marks.written : marks.synced)

/** What was accepted together is written together, and told together. */
interface Batch {
  readonly events: ReadonlyArray<SessionEvent>
  readonly lastSeq: number
  readonly durability: Durability
}

interface Listener {
  readonly onEvent: (event: SessionEvent) => void
  readonly onEnd: () => void
}

export interface Publisher {
  readonly add: (events: ReadonlyArray<SessionEvent>, durability: Durability) => void
  /** The same for one that is told as it is accepted: a chunk, of which most sessions have nobody to tell. */
  readonly addOne: (event: SessionEvent) => void
  readonly release: (marks: Marks) => void
  readonly subscribe: (onEvent: Listener["onEvent"], onEnd?: Listener["onEnd"]) => () => void
  /** Nothing is told after this; what still waits was never confirmed. */
  readonly end: () => void
}

/** `onDefect` hears, once all is told, what a listener threw; it may throw itself, to whoever caused the telling. */
export const makePublisher = (onDefect: (cause: unknown) => void): Publisher => {
  const listeners = new Set<Listener>()
  let waiting: Array<Batch> = []
  let head = 0
  let isReleasing = false
  let isEnded = false

  const tell = (event: SessionEvent, defects: Array<unknown>) => {
    for (const listener of listeners) {
      try {
        listener.onEvent(event)
      } catch (cause) {
        listeners.delete(listener)
        defects.push(cause)
      }
    }
  }

  return {
    add: (events, durability) => {
      const lastSeq = events.at(-1)?.seq
      if (lastSeq !== undefined) waiting.push({ events, lastSeq, durability })
    },
    addOne: (event) => {
      if (listeners.size === 0 && head === waiting.length) return
      waiting.push({ events: [event], lastSeq: event.seq, durability: "accepted" })
    },
    release: (marks) => {
      // A listener may append: its events queue up behind those that are being told.
      if (isReleasing || isEnded || head === waiting.length) return
      isReleasing = true
      const defects: Array<unknown> = []
      for (let next = waiting[head]; next !== undefined; next = waiting[head]) {
        if (!reached(marks, next.durability, next.lastSeq)) break
        head++
        for (const event of next.events) tell(event, defects)
      }
      if (head === waiting.length) {
        waiting = []
        head = 0
      }
      isReleasing = false
      defects.forEach(onDefect)
    },
    subscribe: (onEvent, onEnd = () => {}) => {
      const listener = { onEvent, onEnd }
      if (isEnded) onEnd()
      else listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    end: () => {
      isEnded = true
      for (const listener of listeners) listener.onEnd()
      listeners.clear()
    },
  }
}
