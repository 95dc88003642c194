/**
 * Break what the inbox and a compaction owe: who is claimed when, and what is summed up.
 *
 * Out: mutants of the story, each of which breaks the rules that it names, and no other, once each.
 */
import type { EventDraft } from "../event/SessionEvent.ts"
import type { Mutant } from "./Mutant.ts"
import { change, drafts, find, insert, message } from "./Story.ts"

const steerBeforeTheEnd = insert(find("turn/end"), message("steering/message", "m9"))

const completedAsFailed = (draft: EventDraft): EventDraft =>
  draft.type === "turn/end" && draft.data.reason.kind === "completed"
    ? { ...draft, data: { ...draft.data, reason: { kind: "failed", code: "X" } } }
    : draft

const compacted = (from: number, to: number): EventDraft => ({
  type: "history/compacted",
  data: { from, to, content: [{ type: "text", text: "what came before" }] },
})

export const inboxMutants: ReadonlyArray<Mutant> = [
  {
    rules: ["inbox.conserves"],
    what: "a message that is claimed twice",
    log: change("step/start", 1, { claims: ["m3", "m4"] }),
  },
  {
    rules: ["inbox.conserves"],
    what: "a message that is claimed before it is accepted",
    log: change("step/start", 0, { claims: ["m3", "m8"] }),
  },
  {
    rules: ["inbox.order"],
    what: "messages that are claimed in another order",
    log: change("turn/start", 0, { claims: ["m2", "m1"] }),
  },
  {
    rules: ["inbox.order"],
    what: "a step that claims a prompt",
    log: insert(find("step/start", 1), message("user/message", "m7")).map((draft) =>
      draft.type === "step/start" && draft.data.step === 2
        ? { ...draft, data: { ...draft.data, claims: ["m4", "m7"] } }
        : draft,
    ),
  },
  {
    rules: ["inbox.order"],
    what: "a turn that nothing but context has triggered",
    log: insert(drafts.length, message("context/message", "m6"), {
      type: "turn/start",
      data: { turn: 3, trigger: { kind: "message" }, claims: ["m6"] },
    }),
  },
  {
    rules: ["inbox.noForgottenSteer"],
    what: "a completed turn that leaves steering",
    log: steerBeforeTheEnd.map((draft) =>
      draft.type === "turn/start" && draft.data.turn === 2
        ? { ...draft, data: { ...draft.data, claims: ["m9", "m5"] } }
        : draft,
    ),
  },
  // bug-050: a summary that keeps a call and drops its result.
  {
    rules: ["compact.range"],
    what: "a compaction that cuts a step",
    log: insert(drafts.length, compacted(1, find("tool/call"))),
  },
  {
    rules: ["compact.range"],
    what: "a compaction that begins elsewhere than the one before",
    log: insert(drafts.length, compacted(1, find("step/end")), compacted(2, find("turn/end"))),
  },
  {
    rules: ["compact.range"],
    what: "a compaction that gives back",
    log: insert(drafts.length, compacted(1, find("turn/end")), compacted(1, find("step/end"))),
  },
  {
    rules: ["inbox.conserves"],
    what: "a message that is cancelled after it was claimed",
    log: insert(drafts.length, { type: "message/cancelled", data: { messageIds: ["m5"], reason: "late" } }),
  },
  {
    rules: ["inbox.order"],
    what: "a step that leaves steering out",
    log: change("step/start", 1, { claims: [] }).map(completedAsFailed),
  },
  {
    rules: ["inbox.order"],
    what: "a turn that passes over the first message",
    log: change("turn/start", 0, { claims: ["m2"] }),
  },
  {
    rules: ["inbox.order"],
    what: "a continuation that claims a user message",
    log: change("turn/start", 1, { trigger: { kind: "continuation" } }),
  },
  {
    rules: ["inbox.order"],
    what: "a continuation that claims nothing",
    log: insert(drafts.length, {
      type: "turn/start",
      data: { turn: 3, trigger: { kind: "continuation" }, claims: [] },
    }),
  },
  {
    rules: ["compact.range"],
    what: "a compaction inside a step",
    log: insert(find("step/end", 1), compacted(1, find("step/end"))),
  },
  {
    rules: ["compact.range"],
    what: "a compaction of what has not happened",
    log: insert(drafts.length, compacted(1, drafts.length)),
  },
  {
    rules: ["compact.range"],
    what: "a compaction that begins in a step",
    log: insert(drafts.length, compacted(find("tool/call"), find("turn/end"))),
  },
]
