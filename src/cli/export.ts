/**
 * `effect-harness export LOG`: a session for the eyes of others, without what its tools mark as sensitive.
 *
 * In:  a log file or a session id.      Out: one event a line on stdout, or with `--json` one object.
 * Fails with: what reading a log fails with.
 * Not here: what is sensitive (`redaction/`). An export is no log: it is not gone on with.
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Redaction } from "../message/Redaction.ts"
import * as Redactor from "../redaction/Redactor.ts"
import * as flags from "../setup/Flags.ts"
import { locateLog, readLog } from "../setup/ReadLog.ts"
import { counted } from "../terminal/Count.ts"
import * as Meter from "../terminal/Meter.ts"
import { writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

const log = Argument.String("log").pipe(
  Argument.withDescription("A log file, or the id of a session in --dir"),
)

export const exportLog = Command.make("export", { log, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const file = yield* locateLog(config.log, config.dir)
    const { events, later } = yield* readLog(file, yield* Meter.follow)
    for (const words of later) writeNote(`${file}: ${words}\n`)
    const shown = Redactor.log(yield* Redaction, events)
    if (config.json) return writeJson({ file, events: shown })
    for (const event of counted(shown, "exported")) writeResult(`${JSON.stringify(event)}\n`)
  }),
).pipe(Command.withDescription("Print a log without what its tools mark as sensitive"))
