/**
 * Judge all logs that a person names, one after the other, and tell how far it is.
 *
 * In:  names of logs, which rules, how much to list.      Out: an outcome a log, each told as soon as it is there.
 * Fails with: `WrongUsage` for rules that there are not. A log that is not there or cannot be read is an outcome, and the
 * others are judged.
 * Not here: one log (`Judge.ts`), what is printed (`Verdict.ts`, `Summary.ts`).
 */
import { Effect, FileSystem, Result, Stdio, Stream } from "effect"
import type { Rule } from "../contract/Rule.ts"
import { unreadableFile, WrongUsage } from "../setup/CliFailure.ts"
import { type Meter, open as openMeter } from "../terminal/Meter.ts"
import { inline } from "../terminal/Paint.ts"
import { writeNote } from "../terminal/Streams.ts"
import { select } from "./Explanation.ts"
import * as Judge from "./Judge.ts"
import * as Summary from "./Summary.ts"
import * as Targets from "./Targets.ts"
import type { Verdict } from "./Verdict.ts"

export interface Asked {
  readonly logs: ReadonlyArray<string>
  /** Folder of the sessions that are named by their ids. */
  readonly dir: string
  /** Rules or groups; all where none is named. */
  readonly only: ReadonlyArray<string>
  readonly except: ReadonlyArray<string>
  /** Rules of the user's own, checked after ours. */
  readonly own: ReadonlyArray<Rule>
  /** Violations that are listed of each log; 0 for all. */
  readonly limit: number
}

export const judgeAll = Effect.fnUntraced(function* (asked: Asked, tell: (verdict: Verdict) => void) {
  const rules = yield* rulesOf(asked)
  const limit = asked.limit === 0 ? Number.POSITIVE_INFINITY : asked.limit
  const targets = yield* Targets.find(asked.logs, asked.dir)
  const meter = yield* openMeter(yield* sizeOf(targets))
  const outcomes: Array<Summary.Outcome> = []
  for (const target of targets) {
    const outcome = yield* judge(target, { rules, limit, onBytes: meter.advance })
    outcomes.push(outcome)
    report(outcome, meter, tell)
  }
  for (const line of Summary.doubles(outcomes)) writeNote(`${line}\n`)
  return outcomes
})

const judge = Effect.fnUntraced(function* (target: Targets.Target, options: Judge.Options) {
  if (typeof target !== "string") return target
  const { stdin } = yield* Stdio.Stdio
  const judged = yield* Effect.result(
    target === Targets.stdin
      ? Judge.judgeBytes("stdin", Stream.mapError(stdin, unreadableFile("the log", "stdin")), options)
      : Judge.judgeFile(target, options),
  )
  return Result.isSuccess(judged) ? judged.success : { file: target, failure: judged.failure }
})

const report = (outcome: Summary.Outcome, meter: Meter, tell: (verdict: Verdict) => void): void => {
  meter.clear()
  if (Summary.isUnread(outcome)) return writeNote(`${inline(outcome.failure.message)}\n`)
  tell(outcome)
  for (const words of outcome.unfinished) writeNote(`${inline(outcome.file)}: ${words}\n`)
}

const rulesOf = Effect.fnUntraced(function* ({ only, except, own }: Asked) {
  const { log } = yield* select({ ...(only.length > 0 && { only }), except, rules: own })
  if (log.length > 0) return log
  return yield* new WrongUsage({ message: "no rule is left that a stored log can be held to" })
})

/** Units: bytes of all files together; undefined when one is a pipe. What cannot be looked at is told when it is read. */
const sizeOf = Effect.fnUntraced(function* (targets: ReadonlyArray<Targets.Target>) {
  if (targets.includes(Targets.stdin)) return undefined
  const fs = yield* FileSystem.FileSystem
  const files = targets.filter((target) => typeof target === "string")
  const sizes = yield* Effect.forEach(files, (target) =>
    Effect.orElseSucceed(
      Effect.map(fs.stat(target), ({ size }) => Number(size)),
      () => 0,
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
})
