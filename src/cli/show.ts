/**
 * `effect-harness show LOG`: a stored session as a timeline, or as JSON, its secrets hidden.
 *
 * In:  a log file or a session id.      Out: the timeline on stdout.
 * Fails with: what reading a log fails with.
 * Not here: whether the log is lawful (`check.ts`).
 */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Redaction } from "../message/Redaction.ts"
import * as Redactor from "../redaction/Redactor.ts"
import * as flags from "../setup/Flags.ts"
import { locateLog, readLog } from "../setup/ReadLog.ts"
import * as Meter from "../terminal/Meter.ts"
import { resultPaint, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"

const log = Argument.String("log").pipe(
  Argument.withDescription("A log file, or the id of a session in --dir"),
)

const raw = Flag.Boolean("raw").pipe(
  Flag.withDescription("Show sensitive arguments as they are in the log, not their digests"),
  Flag.withDefault(false),
)

export const show = Command.make("show", { log, dir: flags.dir, json: flags.json, raw }, (config) =>
  Effect.gen(function* () {
    const file = yield* locateLog(config.log, config.dir)
    const { events, later, unfinished } = yield* readLog(file, yield* Meter.follow)
    const shown = config.raw ? events : Redactor.log(yield* Redaction, events)
    if (config.json) writeJson({ file, events: shown })
    else {
      const timeline = Timeline.make({ paint: yield* resultPaint, streaming: false })
      for (const event of shown) writeResult(timeline.render(event))
    }
    for (const words of [...later, ...unfinished]) writeNote(`${file}: ${words}\n`)
  }),
).pipe(Command.withDescription("Show the timeline of a session"))
