/**
 * `effect-harness replay LOG`: derive again what the log says was derived, and compare.
 *
 * In:  a log file or a session id.      Out: every difference, by seq, or that there is none.
 * Fails with: `Unsuccessful` when something differs; what reading a log fails with.
 * Not here: the rules (`check.ts`).
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { replay as replayLog } from "../replay/Replay.ts"
import { Unsuccessful } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { locateLog, readLog } from "../setup/ReadLog.ts"
import { counted } from "../terminal/Count.ts"
import * as Meter from "../terminal/Meter.ts"
import { resultPaint, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

const log = Argument.String("log").pipe(
  Argument.withDescription("A log file, or the id of a session in --dir"),
)

export const replay = Command.make("replay", { log, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const file = yield* locateLog(config.log, config.dir)
    const { events, later } = yield* readLog(file, yield* Meter.follow)
    for (const words of later) writeNote(`${file}: ${words}\n`)
    const { requests, messages, differences } = replayLog(counted(events, "replayed"))
    const paint = yield* resultPaint
    if (config.json) writeJson({ file, requests, messages, differences })
    else {
      const size = paint.dim(`· ${requests} requests · ${messages} messages`)
      writeResult(
        `${differences.length === 0 ? paint.green("✓ same") : paint.red("✗ differs")} ${file} ${size}\n`,
      )
      for (const { seq, what, message } of differences)
        writeResult(`  ${paint.red(what)} at seq ${seq}: ${message}\n`)
    }
    if (differences.length > 0) return yield* new Unsuccessful()
  }),
).pipe(Command.withDescription("Derive a log's requests and messages again, and compare"))
