/**
 * `effect-harness salvage LOG`: what can still be read of a broken log, and what cannot.
 *
 * In:  a log file or a session id.      Out: every gap by line and byte; with `--out` the events that go on without a gap.
 * Fails with: `Unsuccessful` when something is missing; `Unreadable`; `WrongUsage` for a file that is there already, or a
 * log of a later version, whose rows cannot be written here. The broken log stays as it is.
 * Not here: opening logs (`store/LogFile`), which never guesses.
 */
import { Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as SessionEvent from "../event/SessionEvent.ts"
import { Unsuccessful, unreadableFile, WrongUsage } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { laterVersion, locateLog } from "../setup/ReadLog.ts"
import * as LogFile from "../store/LogFile.ts"
import { type Gap, salvageInSteps } from "../store/Salvage.ts"
import { counted } from "../terminal/Count.ts"
import * as Meter from "../terminal/Meter.ts"
import { resultPaint, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

const log = Argument.String("log").pipe(
  Argument.withDescription("A log file, or the id of a session in --dir"),
)

const out = Flag.String("out").pipe(
  Flag.withDescription("New file for the events before the first that is missing"),
  Flag.optional,
)

export const salvage = Command.make("salvage", { log, out, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const file = yield* locateLog(config.log, config.dir)
    const fs = yield* FileSystem.FileSystem
    const bytes = yield* Effect.mapError(fs.readFile(file), unreadableFile("the log", file))
    const { version, events, gaps, unbroken } = yield* salvageLog(bytes)
    const paint = yield* resultPaint
    for (const words of laterVersion(version)) writeNote(`${file}: ${words}\n`)
    if (Option.isSome(config.out)) {
      if (version > SessionEvent.version)
        return yield* new WrongUsage({ message: `--out cannot write a log of version ${version}` })
      const kept = [...counted(events.slice(0, unbroken), "salvaged")]
      yield* write(config.out.value, LogFile.encode(kept))
      writeNote(`wrote ${unbroken} events to ${config.out.value}\n`)
    }
    if (config.json) writeJson({ file, events: events.length, unbroken, gaps })
    else {
      const size = paint.dim(`· ${events.length} events, ${unbroken} without a gap`)
      writeResult(`${gaps.length === 0 ? paint.green("✓ whole") : paint.red("✗ broken")} ${file} ${size}\n`)
      for (const gap of gaps) writeResult(`  ${describe(gap)}\n`)
    }
    if (gaps.length > 0) return yield* new Unsuccessful()
  }),
).pipe(Command.withDescription("Read what can be read of a broken log, and name the gaps"))

/** Between the steps, the person who waits is told how far it is, and can stop it. */
const salvageLog = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const meter = yield* Meter.open(bytes.length)
  const work = salvageInSteps(bytes)
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      meter.clear()
      return step.value
    }
    yield* meter.advance(step.value)
    yield* Effect.yieldNow
  }
})

/** A file that is there already may be the very log. */
const write = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.catchTag(
    fs.writeFileString(file, text, { flag: "wx", mode: 0o600 }),
    "PlatformError",
    ({ message }) =>
      Effect.fail(new WrongUsage({ message: `cannot write ${JSON.stringify(file)}: ${message}` })),
  )
})

const describe = ({ line, byteOffset, byteLength, seqs, reason }: Gap): string => {
  const lost = seqs === undefined ? "" : `, seq ${seqs.from} to ${seqs.to}`
  return `line ${line}, byte ${byteOffset} (${byteLength} bytes${lost}): ${reason}`
}
