/**
 * `effect-harness check LOG…`: does each log obey every rule? Also: explain the rules, and repair a log into a new file.
 *
 * In:  log files, folders of them, ids of sessions, `-` for stdin; with `--explain` names of rules; modules with rules.
 * Out: a verdict a log, every violation with rule, seq, line and hint; a summary of many.
 * Fails with: `Unsuccessful` when a log is unlawful, `PartlyUnread` when one cannot be read.
 * Not here: the rules (`invariant/`), judging logs (`verdict/`), repairing one (`repair/`).
 */
import { Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Rule } from "../contract/Rule.ts"
import * as Repair from "../repair/Repair.ts"
import { PartlyUnread, Unsuccessful, WrongUsage } from "../setup/CliFailure.ts"
import * as flags from "../setup/Flags.ts"
import { locateLog } from "../setup/ReadLog.ts"
import { resultPaint, writeJson, writeResult } from "../terminal/Streams.ts"
import * as Explanation from "../verdict/Explanation.ts"
import * as Judgement from "../verdict/Judgement.ts"
import * as OwnRules from "../verdict/OwnRules.ts"
import * as Summary from "../verdict/Summary.ts"
import * as Targets from "../verdict/Targets.ts"
import * as Verdict from "../verdict/Verdict.ts"

const logs = Argument.String("log").pipe(
  Argument.withDescription("Log files, folders of them, ids of sessions in --dir, or - for stdin"),
  Argument.atLeast(0),
)

const only = Flag.String("only").pipe(
  Flag.withDescription("Rule, or group of rules, to hold the logs to and no other; can be repeated"),
  Flag.atLeast(0),
)

const except = Flag.String("except").pipe(
  Flag.withDescription("Rule, or group of rules, not to hold the logs to; can be repeated"),
  Flag.atLeast(0),
)

const rules = Flag.String("rules").pipe(
  Flag.withDescription("Module that exports rules of your own, to hold the logs to as well; can be repeated"),
  Flag.atLeast(0),
)

const limit = Flag.Int("limit").pipe(
  Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  Flag.withDescription("Violations listed of each log; 0 for all"),
  Flag.withDefault(20),
)

const explain = Flag.Boolean("explain").pipe(
  Flag.withDescription("Explain the rules whose names are given in place of logs; without names list all"),
  Flag.withDefault(false),
)

const fix = Flag.String("fix").pipe(
  Flag.withDescription("New file for the log as it would be lawful; the old one stays as it is"),
  Flag.optional,
)

const config = { logs, only, except, rules, limit, explain, fix, dir: flags.dir, json: flags.json }

export const check = Command.make("check", config, ({ explain, fix: out, json, rules: modules, ...asked }) =>
  Effect.gen(function* () {
    const own = yield* OwnRules.load(modules)
    if (explain) return yield* explainRules(asked.logs, own, json)
    if (Option.isNone(out)) return yield* judgeLogs({ ...asked, own }, json)
    const [log] = asked.logs
    const isSelective = asked.only.length + asked.except.length > 0
    if (log === undefined || asked.logs.length > 1 || isSelective)
      return yield* new WrongUsage({ message: "--fix repairs one log, by all rules" })
    if (log === Targets.stdin) {
      const message = "--fix repairs one log, and stdin has no place of its own; save it to a file first"
      return yield* new WrongUsage({ message })
    }
    const file = yield* locateLog(log, asked.dir)
    if (yield* Targets.isFolder(file)) {
      const message = `--fix repairs one log, and ${JSON.stringify(log)} is a folder; name a log in it`
      return yield* new WrongUsage({ message })
    }
    yield* fixLog(file, out.value, own, json)
  }),
).pipe(Command.withDescription("Check logs against every rule of the event contract"))

const explainRules = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  own: ReadonlyArray<Rule>,
  json: boolean,
) {
  const paint = yield* resultPaint
  const rules =
    names.length === 0
      ? Explanation.all(own)
      : yield* Effect.catchTag(Explanation.find(names, own), "WrongUsage", (unknown) => orLog(names, unknown))
  if (json) writeJson({ rules })
  else if (names.length === 0) writeResult(Explanation.listText(rules, paint))
  else writeResult(rules.map((rule) => Explanation.toText(rule, paint)).join("\n"))
})

/** What is no rule may be a log. */
const orLog = Effect.fnUntraced(function* (names: ReadonlyArray<string>, unknown: WrongUsage) {
  const fs = yield* FileSystem.FileSystem
  const log = yield* Effect.findFirst(names, (name) =>
    name.endsWith(".jsonl") ? Effect.succeed(true) : Effect.orElseSucceed(fs.exists(name), () => false),
  )
  if (Option.isNone(log)) return yield* unknown
  const message = `--explain takes names of rules in place of logs, and ${JSON.stringify(log.value)} is a log: check it without --explain, or name a rule of its verdict, as in check --explain result.paired (check --explain lists them all)`
  return yield* new WrongUsage({ message })
})

const judgeLogs = Effect.fnUntraced(function* (asked: Judgement.Asked, json: boolean) {
  if (asked.logs.length === 0)
    return yield* new WrongUsage({
      message: "name a log to check: a file, a folder, the id of a session, or -",
    })
  const paint = yield* resultPaint
  const outcomes = yield* Judgement.judgeAll(asked, (verdict) => {
    if (!json) writeResult(Verdict.toText(verdict, paint))
  })
  if (json) writeJson(Summary.toJson(outcomes))
  else writeResult(Summary.toText(outcomes, paint))
  if (outcomes.some(Summary.isUnread)) return yield* new PartlyUnread()
  if (!outcomes.every(Summary.isLawful)) return yield* new Unsuccessful()
})

const fixLog = Effect.fnUntraced(function* (
  file: string,
  out: string,
  own: ReadonlyArray<Rule>,
  json: boolean,
) {
  const paint = yield* resultPaint
  const repaired = yield* Repair.run(file, out, own)
  if (json) writeJson(Repair.toJson(repaired))
  else writeResult(Repair.toText(repaired, paint))
  if (!Repair.isLawful(repaired)) return yield* new Unsuccessful()
})
