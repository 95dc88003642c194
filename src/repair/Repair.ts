/**
 * Write the log that is proposed in place of another into a new file, and judge that.
 *
 * In:  the file of a log, and a file that is not there yet.      Out: `Repaired`, as text or JSON. The old log stays as it is.
 * Fails with: `Unreadable`, `UnsupportedLogVersion`; `WrongUsage` when the new file cannot be made, as when it is there already.
 * Not here: what is proposed (`Proposal.ts`).
 */
import { Clock, Effect, FileSystem, Path, Stream } from "effect"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { withOwn } from "../invariant/Rules.ts"
import { type Unreadable, WrongUsage } from "../setup/CliFailure.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import * as LogFile from "../store/LogFile.ts"
import { inline, type Paint } from "../terminal/Paint.ts"
import { count } from "../text/Excerpt.ts"
import { fileBytes } from "../verdict/FileBytes.ts"
import { judgeFile } from "../verdict/Judge.ts"
import * as Verdict from "../verdict/Verdict.ts"
import * as Conflict from "./Conflict.ts"
import { type Proposal, type Proposed, propose } from "./Proposal.ts"

export interface Repaired {
  readonly file: string
  readonly proposal: Proposal
  /** What is said of the new file; missing when none was written, because nothing was to repair or nothing could be kept. */
  readonly verdict?: Verdict.Verdict
}

/** Ours hold without being named; `own` are the user's. */
export const run = Effect.fnUntraced(function* (file: string, out: string, own: ReadonlyArray<Rule> = []) {
  const path = yield* Path.Path
  const find = (id: string) =>
    Effect.match(JsonlStore.find(path.dirname(file), id), {
      onFailure: () => undefined,
      onSuccess: (found) => found && fileBytes(found.location),
    })
  const rules = withOwn(own)
  const at = yield* Clock.currentTimeMillis
  const proposal = yield* propose({ bytes: fileBytes(file), find, rules, at })
  if (proposal.isUnneeded || proposal.kept === 0) return { file, proposal } satisfies Repaired
  yield* write(out, proposal)
  const verdict = yield* judgeFile(out, { rules })
  return { file, proposal, verdict } satisfies Repaired
})

/** A file that is there already may be the very log. One that cannot be written to its end is taken away again. */
const write = Effect.fnUntraced(function* (
  out: string,
  { events, added }: Proposed<Unreadable, FileSystem.FileSystem | Path.Path>,
) {
  const fs = yield* FileSystem.FileSystem
  const cannot = ({ message }: { readonly message: string }) =>
    new WrongUsage({ message: `cannot write ${JSON.stringify(out)}: ${message}` })
  const file = yield* Effect.mapError(fs.open(out, { flag: "wx", mode: 0o600 }), cannot)
  const encoder = new TextEncoder()
  const log = Stream.concat(events, Stream.succeed(added)).pipe(inWholeRows)
  const put = (some: ReadonlyArray<SessionEvent>) =>
    Effect.mapError(file.writeAll(encoder.encode(LogFile.encode(some))), cannot)
  yield* Effect.onError(Stream.runForEach(log, put), () => Effect.ignore(fs.remove(out)))
}, Effect.scoped)

/** Chunks of a step stand in one row: events are handed on up to the last that is none. */
const inWholeRows = <E, R>(events: Stream.Stream<ReadonlyArray<SessionEvent>, E, R>) =>
  Stream.suspend(() => {
    let held: ReadonlyArray<SessionEvent> = []
    const upToChunks = Stream.map(events, (some) => {
      const all = held.concat(some)
      const end = all.findLastIndex(({ type }) => type !== "assistant/chunk") + 1
      held = all.slice(end)
      return all.slice(0, end)
    })
    return Stream.concat(
      upToChunks,
      Stream.suspend(() => Stream.succeed(held)),
    )
  })

/** Whether there is a lawful log now, the new one or the old one that needed no repair, and nothing in it was guessed. */
export const isLawful = ({ proposal, verdict }: Repaired): boolean =>
  verdict === undefined
    ? proposal.isUnneeded
    : Verdict.isLawful(verdict) && proposal.conflicts.every(Conflict.isProved)

/** A repair for programs. */
export const toJson = ({ file, proposal, verdict }: Repaired) => {
  const { kept, fromParent, added, leftOut, conflicts, remains } = proposal
  const shared = fromParent === undefined ? {} : { fromParent }
  const out = verdict && { out: Verdict.toJson(verdict) }
  return { file, kept, ...shared, added, leftOut, conflicts, remains, ...out }
}

/** What was kept, left out and added, a line each, and what is said of the new file. */
export const toText = ({ file, proposal, verdict }: Repaired, paint: Paint): string => {
  const { kept, fromParent, added, leftOut, remains, isUnneeded } = proposal
  if (isUnneeded)
    return `${paint.green("✓ lawful")} ${inline(file)} ${paint.dim("· nothing to repair, nothing written")}\n`
  const lines = [
    kept === 0 ? "" : `  keeps       ${count(kept, "event")}: seq 0 to ${kept - 1}\n`,
    fromParent === undefined
      ? ""
      : `  ${paint.green("takes")}       seq ${fromParent.from} to ${fromParent.to} of them from its parent ${inline(fromParent.id)}\n`,
    ...leftOut.map(({ what, reason }) => `  ${paint.red("leaves out")}  ${what}: ${inline(reason)}\n`),
    ...added.map((event) => `  ${paint.green("adds")}        ${describe(event)}\n`),
    ...remains.map(({ rule, message }) => `  ${paint.red("cannot")}      ${rule}: ${inline(message)}\n`),
  ]
  const end =
    verdict === undefined ? `  ${paint.dim("nothing written")}\n` : judgedText(verdict, proposal, paint)
  return `${paint.bold("repair of")} ${inline(file)}\n${lines.join("")}${end}`
}

/** What was guessed makes a log lawful, not right. */
const judgedText = (verdict: Verdict.Verdict, { conflicts }: Proposal, paint: Paint): string => {
  const isGuessed = Verdict.isLawful(verdict) && !conflicts.every(Conflict.isProved)
  const size = paint.dim(`· ${count(verdict.events, "event")}`)
  const head = isGuessed
    ? `${paint.yellow("! lawful, but to be reviewed")} ${inline(verdict.file)} ${size}\n`
    : Verdict.toText(verdict, paint)
  const reviews = conflicts.map(
    (conflict) => `  ${paint.yellow("review")}      ${inline(Conflict.toText(conflict))}\n`,
  )
  return `${head}${reviews.join("")}`
}

const describe = (event: SessionEvent): string => {
  const { seq, type } = event
  const what = `seq ${seq} ${type}`
  switch (event.type) {
    case "tool/result":
      return `${what} of ${inline(event.data.callId)}: ${event.data.outcome}`
    case "tool/call":
      return `${what} ${inline(event.data.callId)}, which never starts`
    case "turn/end":
      return `${what} of turn ${event.data.turn}: ${event.data.reason.kind}`
    case "message/cancelled":
      return `${what} of ${event.data.messageIds.map(inline).join(", ")}`
    default:
      return what
  }
}
