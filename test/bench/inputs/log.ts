/**
 * A long lawful log, as drafts: turns of ten steps, each with twenty pieces of text and one call.
 *
 * Out: batches in the order in which a session takes them, thirty events a step; fresh objects each time, because an
 *      observer may freeze them.
 */
import { Effect, Result } from "effect"
import type { EventDraft, SessionEvent } from "../../../src/event/SessionEvent.ts"
import type { BlockChunk } from "../../../src/message/ModelChunk.ts"
import type { Session } from "../../../src/session/Session.ts"
import { pieces } from "./script.ts"

export interface Batch {
  /** `accepted` one by one, as chunks are; the others together. */
  readonly durability: "accepted" | "written" | "synced"
  readonly drafts: ReadonlyArray<EventDraft>
  /** The next request is made after it. */
  readonly endsStep: boolean
}

const stepsOfTurn = 10

const chunksOf = (callId: string): ReadonlyArray<BlockChunk> => [
  { type: "block-start", block: "0", kind: "text" },
  ...pieces.map((text) => ({ type: "text-delta", block: "0", text }) as const),
  { type: "block-end", block: "0" },
  { type: "block-start", block: "1", kind: "tool-call", callId, name: "read" },
  { type: "arguments-delta", block: "1", text: '{"path":"src/index.ts","line":12}' },
  { type: "block-end", block: "1" },
]

const stepOf = (turn: number, step: number): ReadonlyArray<Batch> => {
  const place = { turn, step }
  const callId = `call-${turn}-${step}`
  const call = { callId, name: "read", arguments: '{"path":"src/index.ts","line":12}' }
  const chunks = chunksOf(callId).map(
    (chunk) => ({ type: "assistant/chunk", data: { ...place, chunk } }) as const,
  )
  return [
    {
      durability: "accepted",
      drafts: [{ type: "step/start", data: { ...place, claims: [] } }],
      endsStep: false,
    },
    { durability: "accepted", drafts: chunks, endsStep: false },
    {
      durability: "written",
      drafts: [
        {
          type: "assistant/message",
          data: {
            ...place,
            content: [
              { type: "text", text: pieces.join("") },
              { type: "tool-call", ...call },
            ],
            finish: { kind: "tool-calls" },
          },
        },
        { type: "tool/call", data: { ...place, ...call } },
        {
          type: "tool/result",
          data: {
            ...place,
            callId,
            outcome: "success",
            isError: false,
            content: [{ type: "text", text: "read src/index.ts:12 ok" }],
          },
        },
        { type: "step/end", data: place },
      ],
      endsStep: true,
    },
  ]
}

const turnOf = (turn: number): ReadonlyArray<Batch> => [
  {
    durability: "synced",
    drafts: [
      {
        type: "user/message",
        data: {
          messageId: `message-${turn}`,
          content: [{ type: "text", text: "What is in these files?" }],
          source: "user",
        },
      },
    ],
    endsStep: false,
  },
  {
    durability: "accepted",
    drafts: [
      { type: "turn/start", data: { turn, trigger: { kind: "message" }, claims: [`message-${turn}`] } },
    ],
    endsStep: false,
  },
  ...Array.from({ length: stepsOfTurn }, (_, step) => stepOf(turn, step + 1)).flat(),
  {
    durability: "synced",
    drafts: [{ type: "turn/end", data: { turn, reason: { kind: "completed" } } }],
    endsStep: false,
  },
]

/** At least `events` of them, after a `session/start` that is not among them. */
export const batchesOf = (events: number): ReadonlyArray<Batch> => {
  const batches: Array<Batch> = []
  let made = 0
  for (let turn = 1; made < events; turn++) {
    for (const batch of turnOf(turn)) {
      batches.push(batch)
      made += batch.drafts.length
    }
  }
  return batches
}

export const countOf = (batches: ReadonlyArray<Batch>): number =>
  batches.reduce((count, { drafts }) => count + drafts.length, 0)

/** The same as a log at rest. */
export const eventsOf = (events: number): ReadonlyArray<SessionEvent> => {
  const start: EventDraft = { type: "session/start", data: { version: 1, id: "bench", createdAt: 0 } }
  const drafts = [start, ...batchesOf(events).flatMap((batch) => batch.drafts)]
  return drafts.map((draft, seq): SessionEvent => ({ seq, at: 1_700_000_000_000 + seq, ...draft }))
}

/** Append everything, chunks one by one. */
export const appendAll = Effect.fnUntraced(function* (session: Session, batches: ReadonlyArray<Batch>) {
  for (const { drafts, durability, endsStep } of batches) {
    if (durability === "accepted") {
      for (const draft of drafts) Result.getOrThrow(session.accept(draft))
    } else yield* session.append(durability, () => drafts)
    if (endsStep && session.messages().length === 0) return yield* Effect.die(new Error("no history"))
  }
})
