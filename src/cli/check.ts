/**
 * `effect-harness check LOG…`: does each log obey every rule?
 *
 * In:  log files or session ids.      Out: a verdict a file; every violation with rule, seq and hint.
 * Fails with: `Unsuccessful` when a log is unlawful, `Unreadable` when a file is not there.
 * Not here: the rules (`invariant/`).
 */
import { Effect, Path, Result } from "effect"
import { Argument, Command } from "effect/cli"
import * as Ancestry from "../contract/Ancestry.ts"
import type { CorruptLog, UnsupportedLogVersion } from "../event/EventError.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Verifier from "../invariant/Verifier.ts"
import { Unsuccessful } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { locateLog, readLog } from "../setup/ReadLog.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import { inline, type Paint } from "../terminal/Paint.ts"
import { resultPaint, writeJson, writeNote, writeResult } from "../terminal/Streams.ts"
import { count } from "../text/Excerpt.ts"

export interface Verdict {
  readonly file: string
  readonly events: number
  readonly violations: ReadonlyArray<Verifier.LogViolation>
}

const logs = Argument.String("log").pipe(
  Argument.withDescription("Log files, or ids of sessions in --dir"),
  Argument.atLeast(1),
)

export const check = Command.make("check", { logs, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const verdicts = yield* Effect.forEach(config.logs, (log) =>
      Effect.flatMap(locateLog(log, config.dir), judge),
    )
    const paint = yield* resultPaint
    if (config.json) writeJson({ files: verdicts })
    else for (const verdict of verdicts) writeResult(describe(verdict, paint))
    if (verdicts.some(({ violations }) => violations.length > 0)) return yield* new Unsuccessful()
  }),
).pipe(Command.withDescription("Check logs against every rule of the event contract"))

/** Read one log and judge it. What cannot be read as a log breaks the rule that says so. */
export const judge = Effect.fnUntraced(function* (file: string) {
  const log = yield* Effect.result(readLog(file))
  if (Result.isFailure(log)) {
    const { failure } = log
    return failure._tag === "Unreadable"
      ? yield* failure
      : { file, events: 0, violations: [unreadableAs(failure)] }
  }
  const { events, unfinished } = log.success
  if (events.length === 0) return { file, events: 0, violations: [empty] }
  for (const words of unfinished) writeNote(`${file}: ${words}\n`)
  const violations = [...Verifier.verify(events), ...(yield* againstParent(file, events))]
  const verdict: Verdict = { file, events: events.length, violations }
  return verdict
})

/** A fork is held against its parent as well, when that can be read in the same folder. */
const againstParent = Effect.fnUntraced(function* (file: string, events: ReadonlyArray<SessionEvent>) {
  const [first] = events
  const parent = first?.type === "session/start" ? first.data.parent : undefined
  if (parent === undefined) return []
  const path = yield* Path.Path
  const found = yield* Effect.orElseSucceed(JsonlStore.find(path.dirname(file), parent.id), () => undefined)
  const log = found && (yield* Effect.orElseSucceed(readLog(found.location), () => undefined))
  const at = log && Ancestry.firstDifference(log.events, events, parent.seq)
  if (at === undefined) return []
  return [{ rule: "fork.prefix", seq: at, message: `it is not what its parent ${parent.id} has there` }]
})

/** Every prefix of a log is lawful, but one that was never begun is no log. */
const empty: Verifier.LogViolation = {
  rule: "log.start",
  seq: 0,
  message: "the log holds no whole line; a log begins with session/start",
}

const unreadableAs = (failure: CorruptLog | UnsupportedLogVersion): Verifier.LogViolation => ({
  rule: failure._tag === "CorruptLog" ? failure.rule : "log.version",
  seq: 0,
  message: failure.message,
})

/** A verdict in words, one line a violation. */
export const describe = ({ file, events, violations }: Verdict, paint: Paint): string => {
  const size = count(events, "event")
  if (violations.length === 0) return `${paint.green("✓ lawful")} ${file} ${paint.dim(`· ${size}`)}\n`
  const lines = violations.map(({ rule, seq, message, hint }) => {
    const advice = hint === undefined ? "" : `\n      ${paint.dim(inline(hint))}`
    return `  ${paint.red(rule)} at seq ${seq}: ${inline(message)}${advice}\n`
  })
  const sum = count(violations.length, "violation")
  return `${paint.red("✗ unlawful")} ${file} ${paint.dim(`· ${size} · ${sum}`)}\n${lines.join("")}`
}
