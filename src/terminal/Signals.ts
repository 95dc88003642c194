/**
 * What signals do: the first Ctrl-C aborts the turn; the second one leaves, and so does SIGTERM or a terminal's end.
 *
 * In:  SIGINT, SIGTERM, SIGHUP.      Out: an abort of the agent's turn, or the interruption of the whole program.
 * Order: who leaves closes what is open; what does not close in time is left open, as a crash would leave it.
 * Not here: how the turn closes (`loop/`).
 */
import { Effect, type Fiber } from "effect"
import type { Agent } from "../loop/Agent.ts"
import type { Session } from "../session/Session.ts"
import { writeNote } from "./Streams.ts"

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

/** What a shell would say of a program that the signal ended: 128 and its number. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Units: milliseconds for everything to close; a command that ignores SIGTERM gets SIGKILL after one second. */
const closingMillis = 2_500

export interface Watch {
  readonly stop: () => void
  /** The exit code of the signal that made the program leave. */
  readonly exitCode: () => number | undefined
}

/** Let signals interrupt a program; its finalisers close what is open. One more signal waits for none of them. */
export const watch = <A, E>(fiber: Fiber.Fiber<A, E>): Watch => {
  let exitCode: number | undefined
  const giveUp = (code: number) => () => {
    writeNote("something does not stop; leaving with an open turn\n")
    process.exit(code)
  }
  const leave = (code: number) => {
    if (exitCode !== undefined) return giveUp(code)()
    exitCode = code
    setTimeout(giveUp(code), closingMillis).unref()
    fiber.interruptUnsafe()
  }
  const listeners = {
    SIGHUP: () => leave(exitCodes.SIGHUP),
    SIGINT: () => {
      if (exitCode !== undefined || !handlers.some((handler) => handler())) leave(exitCodes.SIGINT)
    },
    SIGTERM: () => leave(exitCodes.SIGTERM),
  }
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
  return {
    stop: () => {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener)
    },
    exitCode: () => exitCode,
  }
}
