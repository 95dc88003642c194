/**
 * The two streams of the process.
 *
 * In:  text.      Out: results on stdout, all else on stderr.
 * Not here: how text looks (`Paint.ts`, `Timeline.ts`).
 */
import { Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"
import * as Paint from "./Paint.ts"

export const writeResult = (text: string): void => {
  process.stdout.write(text)
}

export const writeNote = (text: string): void => {
  process.stderr.write(text)
}

/** What a model said, on stdout: as it is for a program, harmless for a terminal. */
export const writeAnswer = (text: string): void =>
  writeResult(`${process.stdout.isTTY === true ? Paint.printable(text) : text}\n`)

/** One JSON object on stdout. */
export const writeJson = (value: object): void => writeResult(`${JSON.stringify(value)}\n`)

/** Colours for stdout, when it can show them. */
export const resultPaint = Effect.map(TerminalCapabilities.TerminalCapabilities, ({ canColor }) =>
  Paint.make(canColor),
)

/** Colours for stderr, when it is a terminal and stdout's rules allow colours. */
export const notePaint = Effect.map(TerminalCapabilities.TerminalCapabilities, ({ canColor }) =>
  Paint.make(
    process.stderr.isTTY === true && (canColor || !process.stdout.isTTY) && !process.env["NO_COLOR"],
  ),
)

/** Return once everything written has left the process. */
export const flush: Effect.Effect<void> = Effect.forEach(
  [process.stdout, process.stderr],
  (stream) => Effect.callback<void>((resume) => void stream.write("", () => resume(Effect.void))),
  { discard: true },
)
