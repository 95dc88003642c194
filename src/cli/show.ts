/**
 * `effect-harness show LOG`: a stored session as a timeline, or as JSON.
 *
 * In:  a log file or a session id.      Out: the timeline on stdout.
 * Fails with: what reading a log fails with.
 * Not here: whether the log is lawful (`check.ts`).
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as flags from "../setup/Flags.ts"
import { locateLog, readLog } from "../setup/ReadLog.ts"
import { resultPaint, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"

const log = Argument.String("log").pipe(
  Argument.withDescription("A log file, or the id of a session in --dir"),
)

export const show = Command.make("show", { log, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const file = yield* locateLog(config.log, config.dir)
    const { events, unfinished } = yield* readLog(file)
    if (config.json) writeJson({ file, events })
    else {
      const timeline = Timeline.make({ paint: yield* resultPaint, streaming: false })
      for (const event of events) writeResult(timeline.render(event))
    }
    for (const words of unfinished) writeNote(`${file}: ${words}\n`)
  }),
).pipe(Command.withDescription("Show the timeline of a session"))
