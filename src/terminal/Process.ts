/**
 * What the process does beside the program: stay alive, lose its output, catch what was thrown to nobody.
 *
 * In:  a running program.      Out: the exit code that all of it together deserves.
 * Not here: signals (`Signals.ts`), what is written (`Streams.ts`).
 */
import type { Fiber } from "effect"
import { inline } from "./Paint.ts"
import { writeNote } from "./Streams.ts"

export interface Held {
  readonly release: () => void
  /** The program's own code, unless its output was lost or something was thrown to nobody. */
  readonly exitCode: (code: number) => number
}

/** A timer that never matters: it only keeps Node from ending while a fiber waits for something without a handle. */
const keepAliveMillis = 2 ** 30

/** Hold the process until the program ends. */
export const hold = <A, E>(fiber: Fiber.Fiber<A, E>): Held => {
  const timer = setInterval(() => undefined, keepAliveMillis)
  let lostOutput: string | undefined
  let strays = 0
  const onOutputError = ({ code = "UNKNOWN" }: NodeJS.ErrnoException) => {
    lostOutput ??= code
  }
  const onStray = (thrown: unknown) => {
    strays++
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    writeNote(`something was thrown that nobody caught; leaving\n${what}\n`)
    fiber.interruptUnsafe()
  }
  process.stdout.on("error", onOutputError)
  // Nobody watches any more; that is no reason to break off a turn.
  process.stderr.on("error", () => undefined)
  process.on("uncaughtException", onStray)
  process.on("unhandledRejection", onStray)
  return {
    release: () => clearInterval(timer),
    exitCode: (code) => {
      if (strays > 0) return code === 0 ? 1 : code
      // A reader that goes away, such as `head`, has what it wanted; a full disk has not.
      if (lostOutput === undefined || lostOutput === "EPIPE") return code
      writeNote(`the output could not be written: ${inline(lostOutput)}\n`)
      return code === 0 ? 3 : code
    },
  }
}
