/**
 * One mutant of the story and more for every rule over stored logs: the break, in words, and the log that has it.
 */
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import { change, chunk, drafts, find, insert, message, nth, replace, upTo, without } from "./story.ts"

const here = { turn: 1, step: 1 }
const steerBeforeTheEnd = insert(find("turn/end"), message("steering/message", "m9"))
const result1 = nth("tool/result", 1)

/** Turn 1 ends in a crash; the next process resumes over what is logged of it. */
const resumed = (place: number, ...after: ReadonlyArray<EventDraft>): ReadonlyArray<EventDraft> => [
  ...upTo(place),
  { type: "session/resume", data: { epoch: 2, reruns: [] } },
  ...after,
]

/** The second step of turn 1, numbered as if it were the first once more. */
const inStepAgain = (): ReadonlyArray<EventDraft> =>
  drafts.map((draft, place) =>
    place < find("step/start", 1) || place > find("step/end", 1)
      ? draft
      : { ...draft, data: { ...Object(draft.data), step: 1 } },
  )

/** A message of the model in the second step of turn 1. */
const answer = (content: readonly []): EventDraft => ({
  type: "assistant/message",
  data: { turn: 1, step: 2, content, finish: { kind: "stop" } },
})

const completedAsFailed = (draft: EventDraft): EventDraft =>
  draft.type === "turn/end" && draft.data.reason.kind === "completed"
    ? { ...draft, data: { ...draft.data, reason: { kind: "failed", code: "X" } } }
    : draft

const compacted = (from: number, to: number): EventDraft => ({
  type: "history/compacted",
  data: { from, to, content: [{ type: "text", text: "what came before" }] },
})

/** Each mutant breaks the rules named before it, and no other, once each. */
export const mutants: ReadonlyArray<
  readonly [rules: ReadonlyArray<string>, what: string, log: ReadonlyArray<EventDraft>]
> = [
  // bug-086: the turn threw, and its end was never written.
  [["turn.nests"], "a turn that starts before the one before it has ended", without(find("turn/end"))],
  [["turn.nests"], "an abort of a turn that is not open", change("turn/abort", 0, { turn: 3 })],
  [
    ["turn.counts"],
    "a turn number that is skipped",
    insert(drafts.length, message("user/message", "m6"), {
      type: "turn/start",
      data: { turn: 4, trigger: { kind: "message" }, claims: ["m6"] },
    }),
  ],
  [
    ["turn.closedIsClosed"],
    "a late chunk of a turn that has ended",
    insert(find("turn/end") + 1, chunk(1, 2, { type: "text-delta", block: "b0", text: "late" })),
  ],
  [["turn.closedIsClosed"], "a turn that ends twice", insert(drafts.length, nth("turn/end", 1))],
  [
    ["turn.abortWins"],
    "a turn that ends as interrupted although an abort was accepted",
    change("turn/end", 1, { reason: { kind: "interrupted" } }),
  ],
  [
    ["turn.abortWins"],
    "a turn that ends as aborted although nobody aborted it",
    change("turn/end", 0, { reason: { kind: "aborted" } }),
  ],
  [["turn.abortWins"], "a second abort", insert(find("turn/abort"), nth("turn/abort"))],
  [
    ["turn.abortWins"],
    "a step that starts after the abort",
    insert(
      drafts.length - 1,
      { type: "step/start", data: { turn: 2, step: 2, claims: [] } },
      { type: "step/end", data: { turn: 2, step: 2 } },
    ),
  ],
  [
    ["turn.reasonCode"],
    "a failed turn without a code",
    change("turn/end", 0, { reason: { kind: "failed" } }),
  ],
  [
    ["turn.reasonCode"],
    "a turn at a limit without a code",
    change("turn/end", 0, { reason: { kind: "limit", message: "too long" } }),
  ],
  [["step.nests"], "a turn that ends while its step is open", without(find("step/end", 1))],
  [["step.nests"], "a step in a step", without(find("step/end"))],
  [["step.nests"], "a step without its start", without(find("step/start", 2))],
  [["step.counts"], "a step number that is used twice", inStepAgain()],
  [["step.names"], "an end of a step that is not the open one", change("step/end", 0, { step: 2 })],
  [
    ["step.names"],
    "an error that names a step that is not open",
    insert(find("step/end"), {
      type: "error",
      data: { turn: 1, step: 7, name: "X", code: "X", message: "x" },
    }),
  ],
  [
    ["step.phase"],
    "usage after the message",
    [
      ...without(find("usage")).slice(0, find("assistant/message")),
      nth("usage"),
      ...drafts.slice(find("assistant/message") + 1),
    ],
  ],
  [
    ["step.phase"],
    "chunks after the message",
    insert(
      find("assistant/message") + 1,
      chunk(1, 1, { type: "block-start", block: "b9", kind: "text" }),
      chunk(1, 1, { type: "text-delta", block: "b9", text: "a" }),
      chunk(1, 1, { type: "text-delta", block: "b9", text: "b" }),
    ),
  ],
  [["step.usageOnce"], "usage that is told twice", insert(find("usage"), nth("usage"))],
  [
    ["step.noEmptyRetry"],
    "a broken step that asks the model again",
    resumed(find("assistant/chunk", 1), chunk(1, 1, { type: "text-delta", block: "b0", text: "again" }), {
      type: "step/end",
      data: here,
    }),
  ],
  [
    ["chunk.grammar"],
    "a delta of the wrong kind",
    insert(find("assistant/chunk", 1), chunk(1, 1, { type: "arguments-delta", block: "b0", text: "{" })),
  ],
  [
    ["chunk.grammar"],
    "a thousand chunks of a block that never started",
    insert(
      find("assistant/chunk", 1),
      ...Array.from({ length: 1000 }, () => chunk(1, 1, { type: "text-delta", block: "b9", text: "x" })),
    ),
  ],
  [
    ["chunk.assembles"],
    "a message that says more than its chunks",
    change("assistant/message", 1, { content: [{ type: "text", text: "Done. Really." }] }),
  ],
  [
    ["chunk.assembles"],
    "a message without a block of its chunks",
    change("assistant/message", 1, { content: [] }),
  ],
  [
    ["call.fromMessage"],
    "a call with other arguments than its block",
    change("tool/call", 1, { arguments: '{"a":1}' }),
  ],
  [["call.fromMessage"], "a call with another name than its block", change("tool/call", 1, { name: "run" })],
  [
    ["call.partialNeverRuns"],
    "a call out of a message that was cut off",
    change("assistant/message", 0, { finish: { kind: "max-tokens" } }),
  ],
  [
    ["call.partialNeverRuns"],
    "a call out of a message that the provider refused",
    change("assistant/message", 0, { finish: { kind: "refused" } }),
  ],
  [
    ["call.partialNeverRuns"],
    "calls in a message that was aborted",
    change("assistant/message", 2, { finish: { kind: "aborted" } }),
  ],
  [["result.paired"], "a result that comes twice", insert(find("step/end"), result1)],
  [
    ["result.paired"],
    "a result before its call",
    [
      ...drafts.slice(0, find("tool/call", 1)),
      result1,
      ...drafts.slice(find("tool/call", 1), find("tool/result", 1)),
      ...drafts.slice(find("tool/result", 1) + 1),
    ],
  ],
  [["result.allAtStepEnd"], "a last step that ends without a result", without(find("tool/result", 2))],
  [
    ["result.outcomeShape"],
    "a success that is an error",
    change("tool/result", 1, { isError: true, error: { name: "X", code: "X" } }),
  ],
  [
    ["result.outcomeShape"],
    "an error without a code",
    change("tool/result", 0, { error: { name: "ToolArgsInvalid", code: "" } }),
  ],
  [
    ["result.startsFalse"],
    "a refused call that started",
    replace(find("tool/call"), {
      type: "tool/call",
      data: { ...here, callId: "c2", name: "write", arguments: "{}" },
    }),
  ],
  [
    ["result.startsFalse"],
    "a success of a call that never started",
    change("tool/call", 1, { starts: false }),
  ],
  [["inbox.conserves"], "a message that is claimed twice", change("step/start", 1, { claims: ["m3", "m4"] })],
  [
    ["inbox.conserves"],
    "a message that is claimed before it is accepted",
    change("step/start", 0, { claims: ["m3", "m8"] }),
  ],
  [
    ["inbox.order"],
    "messages that are claimed in another order",
    change("turn/start", 0, { claims: ["m2", "m1"] }),
  ],
  [
    ["inbox.order"],
    "a step that claims a prompt",
    insert(find("step/start", 1), message("user/message", "m7")).map((draft) =>
      draft.type === "step/start" && draft.data.step === 2
        ? { ...draft, data: { ...draft.data, claims: ["m4", "m7"] } }
        : draft,
    ),
  ],
  [
    ["inbox.order"],
    "a turn that nothing but context has triggered",
    insert(drafts.length, message("context/message", "m6"), {
      type: "turn/start",
      data: { turn: 3, trigger: { kind: "message" }, claims: ["m6"] },
    }),
  ],
  [
    ["inbox.noForgottenSteer"],
    "a completed turn that leaves steering",
    steerBeforeTheEnd.map((draft) =>
      draft.type === "turn/start" && draft.data.turn === 2
        ? { ...draft, data: { ...draft.data, claims: ["m9", "m5"] } }
        : draft,
    ),
  ],
  // bug-050: a summary that keeps a call and drops its result.
  [
    ["compact.range"],
    "a compaction that cuts a step",
    insert(drafts.length, compacted(1, find("tool/call"))),
  ],
  [
    ["compact.range"],
    "a compaction that begins elsewhere than the one before",
    insert(drafts.length, compacted(1, find("step/end")), compacted(2, find("turn/end"))),
  ],
  [
    ["compact.range"],
    "a compaction that gives back",
    insert(drafts.length, compacted(1, find("turn/end")), compacted(1, find("step/end"))),
  ],
  [
    ["turn.nests"],
    "an end of a turn that never began",
    insert(drafts.length, { type: "turn/end", data: { turn: 3, reason: { kind: "completed" } } }),
  ],
  [
    ["step.names"],
    "a step that starts in another turn than the open one",
    change("step/start", 2, { turn: 3 }),
  ],
  [
    ["step.names"],
    "an error that names a step, but no turn",
    insert(find("step/end"), {
      type: "error",
      data: { turn: 0, step: 1, name: "X", code: "X", message: "x" },
    }),
  ],
  [["step.phase"], "a second message in one step", insert(find("step/end", 1), answer([]))],
  [
    ["step.phase", "result.allAtStepEnd"],
    "a call before the message",
    [
      ...upTo(find("usage")),
      nth("tool/call", 1),
      nth("tool/result", 1),
      ...drafts.slice(find("assistant/message"), find("tool/call", 1)),
      ...drafts.slice(find("tool/result", 1) + 1, find("step/end") + 1),
    ],
  ],
  [
    ["call.fromMessage"],
    "a call that the model has not asked for",
    insert(
      find("step/end", 1),
      { type: "tool/call", data: { turn: 1, step: 2, callId: "c9", name: "read", arguments: "{}" } },
      change("tool/result", 1, { step: 2, callId: "c9" })[find("tool/result", 1)] ?? nth("tool/result"),
    ),
  ],
  [
    ["result.outcomeShape"],
    "a success with an error",
    change("tool/result", 1, { error: { name: "X", code: "X" } }),
  ],
  [
    ["result.startsFalse"],
    "a failure of a call that never started",
    change("tool/result", 0, { outcome: "failed", error: { name: "ToolFailed", code: "ENOENT" } }),
  ],
  [
    ["inbox.conserves"],
    "a message that is cancelled after it was claimed",
    insert(drafts.length, { type: "message/cancelled", data: { messageIds: ["m5"], reason: "late" } }),
  ],
  [
    ["inbox.order"],
    "a step that leaves steering out",
    change("step/start", 1, { claims: [] }).map(completedAsFailed),
  ],
  [["inbox.order"], "a turn that passes over the first message", change("turn/start", 0, { claims: ["m2"] })],
  [
    ["inbox.order"],
    "a continuation that claims a user message",
    change("turn/start", 1, { trigger: { kind: "continuation" } }),
  ],
  [
    ["compact.range"],
    "a compaction inside a step",
    insert(find("step/end", 1), compacted(1, find("step/end"))),
  ],
  [
    ["compact.range"],
    "a compaction of what has not happened",
    insert(drafts.length, compacted(1, drafts.length)),
  ],
  [
    ["compact.range"],
    "a compaction that begins in a step",
    insert(drafts.length, compacted(find("tool/call"), find("turn/end"))),
  ],
  // What comes after is broken as well, by what the first break led to: each tells something that really happened.
  [
    ["result.allAtStepEnd", "history.paired"],
    "a request over an unanswered call",
    without(find("tool/result", 1)),
  ],
]
