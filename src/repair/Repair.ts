/**
 * Write the log that is proposed in place of another into a new file, and judge that.
 *
 * In:  the file of a log, and a file that is not there yet.      Out: `Repaired`, as text or JSON. The old log stays as it is.
 * Fails with: `Unreadable`, `UnsupportedLogVersion`; `WrongUsage` when the new file cannot be made, as when it is there already.
 * Not here: what is proposed (`Proposal.ts`).
 */
import { Clock, Effect, FileSystem } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { unreadableFile, WrongUsage } from "../setup/CliFailure.ts"
import * as LogFile from "../store/LogFile.ts"
import { inline, type Paint } from "../terminal/Paint.ts"
import { count } from "../text/Excerpt.ts"
import { judgeFile } from "../verdict/Judge.ts"
import * as Verdict from "../verdict/Verdict.ts"
import { type Proposal, propose } from "./Proposal.ts"

export interface Repaired {
  readonly file: string
  readonly proposal: Proposal
  /** What is said of the new file; missing when none was written, because nothing was to repair or nothing could be kept. */
  readonly verdict?: Verdict.Verdict
}

export const run = Effect.fnUntraced(function* (file: string, out: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(fs.readFile(file), unreadableFile("the log", file))
  const proposal = yield* Effect.fromResult(propose(bytes, yield* Clock.currentTimeMillis))
  const repaired: Repaired = { file, proposal }
  if (proposal.isUnneeded || proposal.events.length === 0) return repaired
  yield* write(out, LogFile.encode(proposal.events))
  const verdict = yield* judgeFile(out)
  return { ...repaired, verdict } satisfies Repaired
})

/** A file that is there already may be the very log. */
const write = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    fs.writeFileString(file, text, { flag: "wx", mode: 0o600 }),
    ({ message }) => new WrongUsage({ message: `cannot write ${JSON.stringify(file)}: ${message}` }),
  )
})

/** Whether there is a lawful log now: the new one, or the old one that needed no repair. */
export const isLawful = ({ proposal, verdict }: Repaired): boolean =>
  verdict === undefined ? proposal.isUnneeded : Verdict.isLawful(verdict)

/** A repair for programs. */
export const toJson = ({ file, proposal, verdict }: Repaired) => {
  const { kept, added, leftOut, remains } = proposal
  return { file, kept, added, leftOut, remains, ...(verdict && { out: Verdict.toJson(verdict) }) }
}

/** What was kept, left out and added, a line each, and what is said of the new file. */
export const toText = ({ file, proposal, verdict }: Repaired, paint: Paint): string => {
  const { kept, added, leftOut, remains, isUnneeded } = proposal
  if (isUnneeded)
    return `${paint.green("✓ lawful")} ${inline(file)} ${paint.dim("· nothing to repair, nothing written")}\n`
  const lines = [
    kept === 0 ? "" : `  keeps       ${count(kept, "event")}: seq 0 to ${kept - 1}\n`,
    ...leftOut.map(({ what, reason }) => `  ${paint.red("leaves out")}  ${what}: ${inline(reason)}\n`),
    ...added.map((event) => `  ${paint.green("adds")}        ${describe(event)}\n`),
    ...remains.map(({ rule, message }) => `  ${paint.red("cannot")}      ${rule}: ${inline(message)}\n`),
  ]
  const end = verdict === undefined ? `  ${paint.dim("nothing written")}\n` : Verdict.toText(verdict, paint)
  return `${paint.bold("repair of")} ${inline(file)}\n${lines.join("")}${end}`
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
    default:
      return what
  }
}
