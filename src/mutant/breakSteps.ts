/**
 * Break what a step owes: its frame, its order, its chunks and the message they make.
 *
 * Out: mutants of the story, each of which breaks the rules that it names, and no other, once each.
 */
import type { EventDraft } from "../event/SessionEvent.ts"
import type { Mutant } from "./Mutant.ts"
import { change, chunk, drafts, find, insert, nth, upTo, without } from "./Story.ts"

const here = { turn: 1, step: 1 }

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

export const stepMutants: ReadonlyArray<Mutant> = [
  {
    rules: ["step.nests"],
    what: "a turn that ends while its step is open",
    log: without(find("step/end", 1)),
  },
  { rules: ["step.nests"], what: "a step in a step", log: without(find("step/end")) },
  { rules: ["step.nests"], what: "a step without its start", log: without(find("step/start", 2)) },
  { rules: ["step.counts"], what: "a step number that is used twice", log: inStepAgain() },
  {
    rules: ["step.names"],
    what: "an end of a step that is not the open one",
    log: change("step/end", 0, { step: 2 }),
  },
  {
    rules: ["step.names"],
    what: "an error that names a step that is not open",
    log: insert(find("step/end"), {
      type: "error",
      data: { turn: 1, step: 7, name: "X", code: "X", message: "x" },
    }),
  },
  {
    rules: ["step.phase"],
    what: "usage after the message",
    log: [
      ...without(find("usage")).slice(0, find("assistant/message")),
      nth("usage"),
      ...drafts.slice(find("assistant/message") + 1),
    ],
  },
  {
    rules: ["step.phase"],
    what: "chunks after the message",
    log: insert(
      find("assistant/message") + 1,
      chunk(1, 1, { type: "block-start", block: "b9", kind: "text" }),
      chunk(1, 1, { type: "text-delta", block: "b9", text: "a" }),
      chunk(1, 1, { type: "text-delta", block: "b9", text: "b" }),
    ),
  },
  { rules: ["step.usageOnce"], what: "usage that is told twice", log: insert(find("usage"), nth("usage")) },
  {
    rules: ["step.noEmptyRetry"],
    what: "a broken step that asks the model again",
    log: resumed(
      find("assistant/chunk", 1),
      chunk(1, 1, { type: "text-delta", block: "b0", text: "again" }),
      {
        type: "step/end",
        data: here,
      },
    ),
  },
  {
    rules: ["step.names"],
    what: "a step that starts in another turn than the open one",
    log: change("step/start", 2, { turn: 3 }),
  },
  {
    rules: ["step.names"],
    what: "an error that names a step, but no turn",
    log: insert(find("step/end"), {
      type: "error",
      data: { turn: 0, step: 1, name: "X", code: "X", message: "x" },
    }),
  },
  {
    rules: ["step.phase", "chunk.assembles"],
    what: "a second message in one step, which no chunks add up to",
    log: insert(find("step/end", 1), nth("assistant/message", 1)),
  },
  {
    rules: ["step.phase", "result.allAtStepEnd"],
    what: "a call before the message",
    log: [
      ...upTo(find("usage")),
      nth("tool/call", 1),
      nth("tool/result", 1),
      ...drafts.slice(find("assistant/message"), find("tool/call", 1)),
      ...drafts.slice(find("tool/result", 1) + 1, find("step/end") + 1),
    ],
  },
  {
    rules: ["chunk.grammar"],
    what: "a delta of the wrong kind",
    log: insert(find("assistant/chunk", 1), chunk(1, 1, { type: "arguments-delta", block: "b0", text: "{" })),
  },
  {
    rules: ["chunk.grammar"],
    what: "a thousand chunks of a block that never started",
    log: insert(
      find("assistant/chunk", 1),
      ...Array.from({ length: 1000 }, () => chunk(1, 1, { type: "text-delta", block: "b9", text: "x" })),
    ),
  },
  {
    rules: ["chunk.assembles"],
    what: "a message that says more than its chunks",
    log: change("assistant/message", 1, { content: [{ type: "text", text: "Done. Really." }] }),
  },
  {
    rules: ["chunk.assembles"],
    what: "a message without a block of its chunks",
    log: change("assistant/message", 1, { content: [] }),
  },
  {
    rules: ["chunk.assembles"],
    what: "a message that is empty",
    log: change("assistant/message", 1, { content: [] }).filter(
      (draft) => draft.type !== "assistant/chunk" || draft.data.turn !== 1 || draft.data.step !== 2,
    ),
  },
  {
    rules: ["step.request"],
    what: "a request by a configuration that is none",
    log: change("step/start", 0, { request: { config: find("user/message"), digest: "d" } }),
  },
  {
    rules: ["step.request"],
    what: "a request by a configuration that was replaced",
    log: insert(find("step/start", 2), nth("request/config")).map((draft) =>
      draft.type === "step/start" && draft.data.turn === 2
        ? { ...draft, data: { ...draft.data, request: { config: find("request/config"), digest: "d" } } }
        : draft,
    ),
  },
]
