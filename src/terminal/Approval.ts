/**
 * Ask the person at the terminal whether a call may run.
 *
 * In:  the tool, its arguments, the guard's reason.      Out: yes for `y` and `yes`, no for all else.
 * Not here: which calls are asked about (`setup/OpenAgent.ts`), how the question is logged (`call/Approvals.ts`).
 */
import { Effect } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { Approver, Decision, Question } from "../policy/Approver.ts"
import type { Keyboard } from "./Keyboard.ts"
import { type Paint, printable } from "./Paint.ts"
import { writeNote } from "./Streams.ts"

const by = "the person at the terminal"

/** Units: characters of the arguments that are shown. */
const maxShown = 4_000

export const approver =
  (paint: Paint, ask: Keyboard["ask"]): Approver =>
  (question) =>
    Effect.flatMap(
      Effect.sync(() => writeNote(describe(paint, question))),
      () => Effect.map(ask("  run it? [y/N] "), decide),
    )

const decide = (line: string): Decision =>
  /^\s*y(es)?\s*$/i.test(line)
    ? { _tag: "allow", by }
    : { _tag: "deny", reason: "the person at the terminal said no", by }

const describe = (paint: Paint, { tool, args, reason }: Question): string => {
  const text = printable(JSON.stringify(args, undefined, 2) ?? "")
  const shown = Beginning.shown(text, maxShown, `\n… ${text.length - maxShown} more characters`)
  return `${paint.bold(`  ${printable(tool)}`)} ${printable(reason)}\n  ${shown.replaceAll("\n", "\n  ")}\n`
}
