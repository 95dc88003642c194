import { Effect, Layer } from "effect"
import { LogFile, LogWriter, SessionStore, StoreError } from "effect-harness"

/** What your service offers. Here: text by key, and an append that happens only at the place that was expected. */
export interface Shelf {
  readonly get: (key: string) => Promise<string | undefined>
  readonly append: (key: string, at: number, text: string) => Promise<boolean>
  readonly keys: () => Promise<ReadonlyArray<string>>
}

const ask = <A>(operation: string, request: () => Promise<A>) =>
  Effect.tryPromise({
    try: request,
    catch: (cause) =>
      new StoreError.StoreUnavailable({ operation, message: `${operation}: the shelf failed`, cause }),
  })

const busy = (id: string) => new StoreError.SessionBusy({ id, message: `session ${id} is taken` })
const exists = (id: string) => new StoreError.SessionExists({ id, message: `session ${id} exists already` })
const unknown = (id: string) => new StoreError.SessionNotFound({ id, message: `there is no session ${id}` })
const fenced = (id: string) =>
  new StoreError.SessionFenced({
    id,
    written: "unknown",
    message: `somebody else goes on with session ${id}`,
  })

const bytesOf = (text: string) => new TextEncoder().encode(text)

const make = (shelf: Shelf): SessionStore.SessionStore["Service"] => {
  const held = new Set<string>()

  /** Hold an id until the scope closes, or not at all when `look` fails. */
  const hold = <A, E>(id: string, look: Effect.Effect<A, E>) =>
    Effect.acquireRelease(
      Effect.suspend((): Effect.Effect<A, E | StoreError.SessionBusy> => {
        if (held.has(id)) return Effect.fail(busy(id))
        held.add(id)
        return Effect.tapError(look, () => Effect.sync(() => held.delete(id)))
      }),
      () => Effect.sync(() => held.delete(id)),
    )

  const load = (id: string) =>
    Effect.flatMap(
      ask("read", () => shelf.get(id)),
      (text) => (text === undefined ? Effect.fail(unknown(id)) : Effect.succeed(text)),
    )

  const writerOf = (id: string, text: string, nextSeq: number) => {
    let at = text.length
    return LogWriter.make({
      nextSeq,
      write: Effect.fnUntraced(function* (events) {
        const rows = LogFile.encode(events)
        if (!(yield* ask("append", () => shelf.append(id, at, rows)))) return yield* fenced(id)
        at += rows.length
      }),
    })
  }

  return {
    create: Effect.fnUntraced(function* (id) {
      if (!SessionStore.isId(id)) return yield* SessionStore.refuseId(id)
      const begin = Effect.filterOrFail(
        ask("create", () => shelf.append(id, 0, "")),
        (isEmpty) => isEmpty,
        () => exists(id),
      )
      yield* hold(id, begin)
      return yield* writerOf(id, "", 0)
    }),
    open: Effect.fnUntraced(function* (id) {
      const look = Effect.gen(function* () {
        const text = yield* load(id)
        return { text, log: yield* Effect.fromResult(LogFile.parse(bytesOf(text))) }
      })
      const { text, log } = yield* hold(id, look)
      return { events: log.events, writer: yield* writerOf(id, text, log.events.length) }
    }),
    read: Effect.fnUntraced(function* (id) {
      return (yield* Effect.fromResult(LogFile.view(bytesOf(yield* load(id))))).events
    }),
    list: Effect.gen(function* () {
      const ids = yield* ask("list", shelf.keys)
      const logs = yield* Effect.forEach(ids, (id) =>
        Effect.map(
          ask("list", () => shelf.get(id)),
          (text = "") => {
            const lastRow = text.slice(text.lastIndexOf("\n", text.length - 2) + 1)
            const updatedAt = Number(/"at":(-?\d+)/.exec(lastRow)?.[1] ?? 0)
            return { id, location: `shelf:${id}`, updatedAt, sizeBytes: bytesOf(text).length }
          },
        ),
      )
      return logs.sort((a, b) => b.updatedAt - a.updatedAt)
    }),
    locate: (id) => `shelf:${id}`,
  }
}

export const layer = (shelf: Shelf): Layer.Layer<SessionStore.SessionStore> =>
  Layer.sync(SessionStore.SessionStore, () => make(shelf))
