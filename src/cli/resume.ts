/**
 * `effect-harness resume ID [PROMPT]`: go on with a stored session.
 *
 * In:  the id of a session, maybe a prompt.      Out: what `run` prints, of the last turn; what no longer fits, on stderr.
 * Fails with: `Unsuccessful` when a turn did not complete; what `openAgent` and opening a session fail with, such as
 * `SessionBusy` while another process has it.
 * Not here: how a turn is gone on with (`turn/`, `call/`, `recovery/`).
 */
import { Duration, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Inspection from "../recovery/Inspection.ts"
import * as SessionLog from "../session/SessionLog.ts"
import { Unsuccessful } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { openAgent } from "../setup/OpenAgent.ts"
import { follow } from "../terminal/Follow.ts"
import * as Keyboard from "../terminal/Keyboard.ts"
import * as Meter from "../terminal/Meter.ts"
import { abortTurnOnInterrupt } from "../terminal/Signals.ts"
import { notePaint, writeAnswer, writeJson, writeNote } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"
import { askOnce, readPrompt, report } from "./run.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The id of a session in --dir"))

const prompt = Argument.String("prompt").pipe(
  Argument.withDescription("What the agent is asked after that; - reads it from stdin"),
  Argument.optional,
)

const force = Flag.Boolean("force").pipe(
  Flag.withDescription("Take the session from whoever holds it; that process can write to it no more"),
  Flag.withDefault(false),
)

const stealAfter = Flag.Int("steal-after").pipe(
  Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  Flag.withDescription("Seconds without a write after which a session is taken whose holder cannot be seen"),
  Flag.optional,
)

const inputs = { id, prompt, ...flags.agent, force, stealAfter, json: flags.json }

export const resume = Command.make("resume", inputs, (config) =>
  Effect.gen(function* () {
    const paint = yield* notePaint
    const asked = Option.isNone(config.prompt) ? undefined : yield* readPrompt(config.prompt.value)
    const { session, agent, redactor, inspection } = yield* openAgent(
      config,
      Keyboard.isThere() ? askOnce(paint) : undefined,
      SessionLog.open(config.id),
      {
        force: config.force,
        ...(Option.isSome(config.stealAfter) && { stealAfter: Duration.seconds(config.stealAfter.value) }),
        onRead: yield* Meter.follow,
      },
    )
    yield* abortTurnOnInterrupt(session, agent)
    for (const line of Inspection.toLines(inspection)) writeNote(`${line}\n`)
    if (!config.json) {
      const timeline = Timeline.make({ paint, streaming: process.stderr.isTTY === true })
      yield* follow(session, agent, timeline, redactor)
    }
    const resumed = yield* agent.resumed
    yield* agent.awaitIdle
    const result = asked === undefined ? resumed : yield* agent.prompt(asked)
    const { missing, changed, misfits } = inspection
    if (config.json)
      writeJson({
        ...(result === undefined ? { session: session.id, log: session.location } : report(session, result)),
        resumed: resumed !== undefined,
        missing,
        changed,
        misfits,
      })
    else {
      if (result === undefined) writeNote(`session ${session.id} has no open turn\n`)
      writeNote(`log: ${session.location}\n`)
      if (result !== undefined && result.text !== "") writeAnswer(result.text)
    }
    if (result !== undefined && result.reason.kind !== "completed") return yield* new Unsuccessful()
  }).pipe(Effect.scoped),
).pipe(Command.withDescription("Go on with a session, and with the turn that it broke off in"))
