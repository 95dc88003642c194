/**
 * `effect-harness run PROMPT`: one turn in a new session.
 *
 * In:  a prompt.      Out: the answer on stdout (or one JSON object), the timeline on stderr.
 * Fails with: `Unsuccessful` when the turn did not complete; what `openAgent` fails with.
 * Not here: many turns (`chat.ts`).
 */
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { Session } from "../session/Session.ts"
import { Unsuccessful, WrongUsage } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { openAgent } from "../setup/OpenAgent.ts"
import * as Approval from "../terminal/Approval.ts"
import { follow } from "../terminal/Follow.ts"
import * as Keyboard from "../terminal/Keyboard.ts"
import type { Paint } from "../terminal/Paint.ts"
import { abortTurnOnInterrupt } from "../terminal/Signals.ts"
import { notePaint, writeAnswer, writeJson, writeNote } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"
import type { TurnResult } from "../turn/TurnResult.ts"

const prompt = Argument.String("prompt").pipe(
  Argument.withDescription("What the agent is asked; - reads it from stdin"),
)

export const run = Command.make("run", { prompt, ...flags.agent, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const paint = yield* notePaint
    const asked = yield* readPrompt(config.prompt)
    const { session, agent, redactor } = yield* openAgent(
      config,
      Keyboard.isThere() ? askOnce(paint) : undefined,
    )
    yield* abortTurnOnInterrupt(session, agent)
    if (!config.json) {
      const timeline = Timeline.make({ paint, streaming: process.stderr.isTTY === true })
      yield* follow(session, agent, timeline, redactor)
    }
    const result = yield* agent.prompt(asked)
    if (config.json) writeJson(report(session, result))
    else {
      writeNote(`log: ${session.location}\n`)
      if (result.text !== "") writeAnswer(result.text)
    }
    if (result.reason.kind !== "completed") return yield* new Unsuccessful()
  }).pipe(Effect.scoped),
).pipe(Command.withDescription("Run one turn in a new session"))

export const readPrompt = Effect.fnUntraced(function* (words: string) {
  const asked = words === "-" ? yield* Effect.promise(() => text(process.stdin)) : words
  return asked.trim() === "" ? yield* new WrongUsage({ message: "the prompt is empty" }) : asked
})

/** The keyboard is taken for as long as a question stands. */
export const askOnce = (paint: Paint) =>
  Approval.approver(paint, (question) =>
    Effect.scoped(Effect.flatMap(Keyboard.open, (keyboard) => keyboard.ask(question))),
  )

export const report = (session: Session, { error, ...result }: TurnResult) => ({
  session: session.id,
  log: session.location,
  ...result,
  ...(error !== undefined && { error: { name: error._tag, code: error.code, message: error.message } }),
})
