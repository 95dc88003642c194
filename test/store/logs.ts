/** Numbered events for the tests of stores. */
import { Result } from "effect"
import * as EventCodec from "../../src/event/EventCodec.ts"
import type { EventDraft, SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Draft from "../session/drafts.ts"

export const number = (drafts: ReadonlyArray<EventDraft>, at = 1_000): ReadonlyArray<SessionEvent> =>
  drafts.map((draft, seq) => Result.getOrThrow(EventCodec.fromDraft(draft, seq, at + seq, new Map())))

export const begin = (id: string): EventDraft => ({
  type: "session/start",
  data: { version: 1, id, createdAt: 0 },
})

/** A short log with everything that rows can be: plain events, one chunk alone, a run of chunks, odd text. */
export const small = number([
  begin("s"),
  Draft.user("m1", "line\u2028separator, \ud83d\ude00 and a lone \ud800"),
  Draft.turnStart(1, "m1"),
  Draft.stepStart(1, 1),
  Draft.delta(1, 1, "alone"),
  { type: "error", data: { turn: 1, step: 1, name: "N", code: "C", message: "m" } },
  Draft.delta(1, 1, "run 1"),
  Draft.delta(1, 1, "run 2"),
  Draft.stepEnd(1, 1),
  Draft.stepStart(1, 2),
  Draft.delta(1, 2, "another step"),
  Draft.stepEnd(1, 2),
  Draft.turnEnd(1),
])
