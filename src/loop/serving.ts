/**
 * Who serves a session, and for whom a body works: what would wait for itself is told so, at once.
 *
 * In:  a session.      Out: it is held for one agent until the scope closes; a waiting effect that knows where it runs.
 * Fails with: nothing typed. Both are bugs of a caller, and die with a sentence.
 * Not here: other processes (`SessionBusy`), calls that wait for each other (`call/order.ts`).
 */
import { Context, Effect, type Scope } from "effect"
import type { Session } from "../session/Session.ts"

const served = new WeakSet<Session>()

/** Order: the session is free again when all else of the agent is closed, so claim it first. */
export const claim = (session: Session): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      if (served.has(session)) return Effect.die(new Error(twice(session)))
      served.add(session)
      return Effect.void
    }),
    () => Effect.sync(() => served.delete(session)),
  )

const twice = ({ id }: Session): string =>
  `Session ${id} is served by an agent already; close the scope of that one first, or use it.`

/** The sessions whose turn waits for what runs here: for a body, that of its agent and of those around it. */
const Around = Context.Reference<ReadonlyArray<Session>>("effect-harness/loop/Around", {
  defaultValue: () => [],
})

/** Run the turns of a session. */
export const around =
  (session: Session) =>
  <A, E, R>(turns: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Around, (outer) => Effect.provideService(turns, Around, [...outer, session]))

/** Wait for a turn of the session, but not inside of one. */
export const outside =
  (session: Session, method: string) =>
  <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Around, (sessions) =>
      sessions.includes(session) ? Effect.die(new Error(inside(session, method))) : wait,
    )

const inside = ({ id }: Session, method: string): string =>
  `${method} waits for a turn of session ${id}, and was called in a turn of it: it would wait for itself. In a body, use send, steer or inject, or an agent with a session of its own.`
