/**
 * Break what every log owes, whatever happens in it: what is always on, and the beginning of a fork.
 *
 * Out: mutants of the story, each of which breaks the rules that it names, and no other, once each.
 * Not here: log.seq, which drafts cannot break: they have no numbers yet.
 */
import type { EventDraft } from "../event/SessionEvent.ts"
import type { Mutant } from "./Mutant.ts"
import { change, drafts, find, insert, message, nth, start } from "./Story.ts"

const resume = (epoch: number, ...reruns: ReadonlyArray<string>): EventDraft => ({
  type: "session/resume",
  data: { epoch, reruns },
})

const askAboutC2: EventDraft = {
  type: "approval/asked",
  data: { turn: 1, step: 1, callId: "c2", digest: "d1", expiresAt: 1_800_000_000_000 },
}

const decided = (digest: string): EventDraft => ({
  type: "approval/decided",
  data: { callId: "c2", digest, verdict: "deny", by: "ann" },
})

const afterTheMessage = find("assistant/message") + 1

export const logMutants: ReadonlyArray<Mutant> = [
  { rules: ["log.start"], what: "a log without its start", log: drafts.slice(1) },
  { rules: ["log.start"], what: "a second start", log: insert(drafts.length, start) },
  {
    rules: ["log.epoch"],
    what: "an epoch that does not rise",
    log: insert(drafts.length, resume(2), resume(2)),
  },
  {
    rules: ["log.version"],
    what: "a payload with a key that its version does not have",
    log: change("turn/abort", 0, { by: "ann" }),
  },
  {
    rules: ["log.lossless"],
    what: "a payload that JSON does not hold",
    log: insert(drafts.length, { type: "acme:score", data: { score: Number.NaN } }),
  },
  {
    rules: ["call.unique"],
    what: "a call that starts twice",
    log: insert(find("tool/result", 1), nth("tool/call", 1)),
  },
  {
    rules: ["inbox.unique"],
    what: "a message id that comes twice",
    log: insert(drafts.length, message("user/message", "m1")),
  },
  {
    rules: ["approval.single"],
    what: "a decision about something else than was asked",
    log: insert(afterTheMessage, askAboutC2, decided("d2")),
  },
  {
    rules: ["approval.single"],
    what: "a question that is decided twice",
    log: insert(afterTheMessage, askAboutC2, decided("d1"), decided("d1")),
  },
  {
    rules: ["rerun.allowed"],
    what: "a call without a key that is run again",
    log: insert(find("tool/result", 1), resume(1, "c1")),
  },
  {
    rules: ["fork.prefix"],
    what: "a fork that does not begin with its parent",
    log: change("session/start", 0, { parent: { id: "parent", seq: 3, digest: "of another log" } }),
  },
]
