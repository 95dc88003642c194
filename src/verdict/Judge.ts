/**
 * Judge one log, of any length, in memory that hardly grows with it.
 *
 * In:  a log as it comes, and the rules.      Out: `Verdict`. What cannot be read as a line breaks the rule that says so.
 * Fails with: `Unreadable`.
 * Not here: which files are logs (`Targets.ts`), the rules (`invariant/`), holding lines to them (`tally.ts`).
 */
import { Effect, Stream } from "effect"
import * as Ancestry from "../contract/Ancestry.ts"
import type { Rule } from "../contract/Rule.ts"
import { logRules } from "../invariant/Rules.ts"
import { unbegun } from "../invariant/Verifier.ts"
import { unfinished } from "../setup/ReadLog.ts"
import * as LogFile from "../store/LogFile.ts"
import { againstParent, type Parent, prefixRule } from "./againstParent.ts"
import { fileBytes } from "./FileBytes.ts"
import * as Tally from "./tally.ts"
import type { Verdict } from "./Verdict.ts"

export interface Options {
  /** All that a stored log is enough for, unless given. */
  readonly rules?: ReadonlyArray<Rule>
  /** Violations that are listed; every one unless given. All are counted. */
  readonly limit?: number
  /** Hears of every piece that was judged, in bytes. */
  readonly onBytes?: (bytes: number) => Effect.Effect<void>
}

/** Judge a file. A fork is held against its parent as well, when that can be read in the same folder. */
export const judgeFile = Effect.fnUntraced(function* (file: string, options: Options = {}) {
  const tally = Tally.make(options.rules ?? logRules, options.limit ?? Number.POSITIVE_INFINITY)
  const reader = yield* feed(tally, fileBytes(file), options)
  const parent = parentIn(tally, options)
  if (parent !== undefined && !reportsShort(tally, parent)) {
    const difference = yield* againstParent(file, parent)
    if (difference !== undefined) tally.report(difference.violation, difference.place ?? tally.found().place)
  }
  return conclude(file, tally, reader.heldBytes())
})

/** Judge what comes by a pipe. */
export const judgeBytes = Effect.fnUntraced(function* <E, R>(
  name: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  options: Options = {},
) {
  const tally = Tally.make(options.rules ?? logRules, options.limit ?? Number.POSITIVE_INFINITY)
  const reader = yield* feed(tally, bytes, options)
  const parent = parentIn(tally, options)
  if (parent !== undefined) reportsShort(tally, parent)
  return conclude(name, tally, reader.heldBytes())
})

/** What a log was forked from, when it is to be held against that. */
const parentIn = (tally: Tally.Tally, { rules }: Options) => {
  const { first } = tally.found()
  const isHeld = rules?.some(({ id }) => id === prefixRule) ?? true
  return isHeld && first?.type === "session/start" ? first.data.parent : undefined
}

/** A fork is copied before anybody uses it: one that ends before its parent's seq is no session, as whoever opens it is told. */
const reportsShort = (tally: Tally.Tally, parent: Parent): boolean => {
  const { due, place } = tally.found()
  const message = Ancestry.brokenOff(parent, due)
  if (message !== undefined) tally.report({ rule: prefixRule, seq: due, message }, place)
  return message !== undefined
}

const feed = <E, R>(tally: Tally.Tally, bytes: Stream.Stream<Uint8Array, E, R>, options: Options) => {
  const reader = LogFile.reader()
  const take = (piece: Uint8Array) =>
    Effect.suspend(() => {
      for (const line of reader.push(piece)) if (!tally.take(line)) return Effect.succeed(false)
      return Effect.as(options.onBytes?.(piece.length) ?? Effect.void, true)
    })
  return bytes.pipe(
    Stream.mapEffect(take),
    Stream.takeWhile((goesOn) => goesOn),
    Stream.runDrain,
    Effect.as(reader),
  )
}

const conclude = (file: string, tally: Tally.Tally, heldBytes: number): Verdict => {
  if (tally.found().events === 0 && tally.found().broken.size === 0) tally.report(unbegun, Tally.beginning)
  const { events, violations, broken, openTurn, first } = tally.found()
  return {
    file,
    events,
    violations,
    broken,
    unfinished: unfinished(openTurn, heldBytes),
    ...(first?.type === "session/start" && { sessionId: first.data.id }),
  }
}
