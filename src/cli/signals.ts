/**
 * What Ctrl-C does: the first one aborts the turn, the second one leaves.
 *
 * In:  SIGINT, SIGTERM.      Out: an abort of the agent's turn, or the interruption of the whole program.
 * Not here: how the turn closes (`loop/`).
 */
import { Effect, Fiber } from "effect"
import type { Agent } from "../loop/Agent.ts"
import type { Session } from "../session/Session.ts"
import { writeNote } from "./output.ts"

/** Each says whether it found a turn to abort; the latest comes first. */
const handlers: Array<() => boolean> = []

/** Let Ctrl-C abort the open turn of this agent; one that finds no turn, or one already aborting, leaves. */
export const abortTurnOnInterrupt = (session: Session, agent: Agent<unknown>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const handler = () => {
        const { turnIsOpen, aborting } = session.state()
        if (!turnIsOpen || aborting) return false
        writeNote("\naborting the turn; Ctrl-C again leaves\n")
        Effect.runFork(Effect.ignore(agent.abort("Ctrl-C")))
        return true
      }
      handlers.unshift(handler)
      return handler
    }),
    (handler) => Effect.sync(() => handlers.splice(handlers.indexOf(handler), 1)),
  )

/** Run a program so that signals interrupt it; its finalisers close what is open. */
export const interruptible = <A, E>(fiber: Fiber.Fiber<A, E>): (() => void) => {
  const interrupt = () => {
    if (!handlers.some((handler) => handler())) fiber.interruptUnsafe()
  }
  const terminate = () => fiber.interruptUnsafe()
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", terminate)
  return () => {
    process.off("SIGINT", interrupt)
    process.off("SIGTERM", terminate)
  }
}
