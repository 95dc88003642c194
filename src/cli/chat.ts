/**
 * `effect-harness chat`: a session of many turns, a line of input each.
 *
 * In:  lines of stdin.      Out: the timeline on stderr, answers on stdout.
 * Fails with: what `openAgent` fails with. A turn that fails is told and the chat goes on; without a person at the
 *             keyboard it ends as `Unsuccessful`.
 * Not here: one turn (`run.ts`).
 */
import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import type { Agent } from "../loop/Agent.ts"
import { Unsuccessful } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { openAgent } from "../setup/OpenAgent.ts"
import * as Approval from "../terminal/Approval.ts"
import { follow } from "../terminal/Follow.ts"
import * as Keyboard from "../terminal/Keyboard.ts"
import { abortTurnOnInterrupt } from "../terminal/Signals.ts"
import { notePaint, writeAnswer, writeNote } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"

export const chat = Command.make("chat", flags.agent, (config) =>
  Effect.gen(function* () {
    const paint = yield* notePaint
    const keyboard = yield* Keyboard.open
    const approver = Keyboard.isThere() ? Approval.approver(paint, keyboard.ask) : undefined
    const { session, agent, redactor } = yield* openAgent(config, approver)
    yield* abortTurnOnInterrupt(session, agent)
    const isWatched = process.stderr.isTTY === true
    // The timeline, streaming, shows the answer where stdout would show it again.
    const isShown = isWatched && process.stdout.isTTY === true
    yield* follow(session, agent, Timeline.make({ paint, streaming: isWatched }), redactor)
    writeNote(`log: ${session.location}\nCtrl-C aborts a turn, Ctrl-D ends the chat\n`)
    keyboard.prompt()
    let failedTurns = 0
    yield* Stream.runForEach(keyboard.lines, (line) =>
      Effect.gen(function* () {
        if (line.trim() !== "" && !(yield* converse(agent, line, isShown))) failedTurns++
        keyboard.prompt()
      }),
    )
    if (failedTurns > 0 && !Keyboard.isThere()) return yield* new Unsuccessful()
  }).pipe(Effect.scoped),
).pipe(Command.withDescription("Talk with an agent in a new session"))

/** One turn; tells whether it completed. */
const converse = (agent: Agent, line: string, isShown: boolean) =>
  Effect.map(agent.prompt(line), ({ text, reason }) => {
    if (!isShown && text !== "") writeAnswer(text)
    return reason.kind === "completed"
  })
