/**
 * Break what a call owes: where it comes from, that it is answered, and how.
 *
 * Out: mutants of the story, each of which breaks the rules that it names, and no other, once each.
 */
import type { Mutant } from "./Mutant.ts"
import { change, drafts, find, insert, nth, replace, without } from "./Story.ts"

const here = { turn: 1, step: 1 }

const result1 = nth("tool/result", 1)

export const callMutants: ReadonlyArray<Mutant> = [
  {
    rules: ["call.fromMessage"],
    what: "a call with other arguments than its block",
    log: change("tool/call", 1, { arguments: '{"a":1}' }),
  },
  {
    rules: ["call.fromMessage"],
    what: "a call with another name than its block",
    log: change("tool/call", 1, { name: "run" }),
  },
  {
    rules: ["call.partialNeverRuns"],
    what: "a call out of a message that was cut off",
    log: change("assistant/message", 0, { finish: { kind: "max-tokens" } }),
  },
  {
    rules: ["call.partialNeverRuns"],
    what: "a call out of a message that the provider refused",
    log: change("assistant/message", 0, { finish: { kind: "refused" } }),
  },
  {
    rules: ["call.partialNeverRuns"],
    what: "calls in a message that was aborted",
    log: change("assistant/message", 2, { finish: { kind: "aborted" } }),
  },
  { rules: ["result.paired"], what: "a result that comes twice", log: insert(find("step/end"), result1) },
  {
    rules: ["result.paired"],
    what: "a result before its call",
    log: [
      ...drafts.slice(0, find("tool/call", 1)),
      result1,
      ...drafts.slice(find("tool/call", 1), find("tool/result", 1)),
      ...drafts.slice(find("tool/result", 1) + 1),
    ],
  },
  {
    rules: ["result.allAtStepEnd"],
    what: "a last step that ends without a result",
    log: without(find("tool/result", 2)),
  },
  {
    rules: ["result.outcomeShape"],
    what: "a success that is an error",
    log: change("tool/result", 1, { isError: true, error: { name: "X", code: "X" } }),
  },
  {
    rules: ["result.outcomeShape"],
    what: "an error without a code",
    log: change("tool/result", 0, { error: { name: "ToolArgsInvalid", code: "" } }),
  },
  {
    rules: ["result.startsFalse"],
    what: "a refused call that started",
    log: replace(find("tool/call"), {
      type: "tool/call",
      data: { ...here, callId: "c2", name: "write", arguments: "{}" },
    }),
  },
  {
    rules: ["result.startsFalse"],
    what: "a success of a call that never started",
    log: change("tool/call", 1, { starts: false }),
  },
  {
    rules: ["call.fromMessage"],
    what: "a call that the model has not asked for",
    log: insert(
      find("step/end", 1),
      { type: "tool/call", data: { turn: 1, step: 2, callId: "c9", name: "read", arguments: "{}" } },
      change("tool/result", 1, { step: 2, callId: "c9" })[find("tool/result", 1)] ?? nth("tool/result"),
    ),
  },
  {
    rules: ["result.outcomeShape"],
    what: "a success with an error",
    log: change("tool/result", 1, { error: { name: "X", code: "X" } }),
  },
  {
    rules: ["result.startsFalse"],
    what: "a failure of a call that never started",
    log: change("tool/result", 0, { outcome: "failed", error: { name: "ToolFailed", code: "ENOENT" } }),
  },
  {
    rules: ["call.fromMessage"],
    what: "a question about a call that is in no block",
    log: insert(find("tool/call", 1), {
      type: "approval/asked",
      data: { ...here, callId: "c9", digest: "d", expiresAt: 1_800_000_000_000 },
    }),
  },
  {
    rules: ["result.outcomeShape"],
    what: "a call that timed out with the code of refused arguments",
    log: change("tool/result", 1, {
      outcome: "timed-out",
      isError: true,
      error: { name: "ToolArgsInvalid", code: "INVALID_ARGS" },
    }),
  },
  // What comes after is broken as well, by what the first break led to: each tells something that really happened.
  {
    rules: ["result.allAtStepEnd", "history.paired"],
    what: "a request over an unanswered call",
    log: without(find("tool/result", 1)),
  },
]
