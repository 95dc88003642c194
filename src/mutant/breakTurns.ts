/**
 * Break what a turn owes: its frame, its number, its end, the abort in it.
 *
 * Out: mutants of the story, each of which breaks the rules that it names, and no other, once each.
 */
import type { Mutant } from "./Mutant.ts"
import { change, chunk, drafts, find, insert, message, nth, without } from "./Story.ts"

export const turnMutants: ReadonlyArray<Mutant> = [
  // bug-086: the turn threw, and its end was never written.
  {
    rules: ["turn.nests"],
    what: "a turn that starts before the one before it has ended",
    log: without(find("turn/end")),
  },
  {
    rules: ["turn.nests"],
    what: "an abort of a turn that is not open",
    log: change("turn/abort", 0, { turn: 3 }),
  },
  {
    rules: ["turn.counts"],
    what: "a turn number that is skipped",
    log: insert(drafts.length, message("user/message", "m6"), {
      type: "turn/start",
      data: { turn: 4, trigger: { kind: "message" }, claims: ["m6"] },
    }),
  },
  {
    rules: ["turn.closedIsClosed"],
    what: "a late chunk of a turn that has ended",
    log: insert(find("turn/end") + 1, chunk(1, 2, { type: "text-delta", block: "b0", text: "late" })),
  },
  {
    rules: ["turn.closedIsClosed"],
    what: "a turn that ends twice",
    log: insert(drafts.length, nth("turn/end", 1)),
  },
  {
    rules: ["turn.abortWins"],
    what: "a turn that ends as interrupted although an abort was accepted",
    log: change("turn/end", 1, { reason: { kind: "interrupted" } }),
  },
  {
    rules: ["turn.abortWins"],
    what: "a turn that ends as aborted although nobody aborted it",
    log: change("turn/end", 0, { reason: { kind: "aborted" } }),
  },
  { rules: ["turn.abortWins"], what: "a second abort", log: insert(find("turn/abort"), nth("turn/abort")) },
  {
    rules: ["turn.abortWins"],
    what: "a step that starts after the abort",
    log: insert(
      drafts.length - 1,
      { type: "step/start", data: { turn: 2, step: 2, claims: [] } },
      { type: "step/end", data: { turn: 2, step: 2 } },
    ),
  },
  {
    rules: ["turn.reasonCode"],
    what: "a failed turn without a code",
    log: change("turn/end", 0, { reason: { kind: "failed" } }),
  },
  {
    rules: ["turn.reasonCode"],
    what: "a turn at a limit without a code",
    log: change("turn/end", 0, { reason: { kind: "limit", message: "too long" } }),
  },
  {
    rules: ["turn.nests"],
    what: "an end of a turn that never began",
    log: insert(drafts.length, { type: "turn/end", data: { turn: 3, reason: { kind: "completed" } } }),
  },
  {
    rules: ["turn.abortWins"],
    what: "a call that runs again after the abort",
    log: [
      ...change("tool/call", 1, { key: "k1" }).slice(0, find("tool/result", 1)),
      { type: "turn/abort", data: { turn: 1, reason: "stop" } },
      { type: "session/resume", data: { epoch: 1, reruns: ["c1"] } },
    ],
  },
]
