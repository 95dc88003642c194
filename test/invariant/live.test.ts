import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { deepFreeze } from "../../src/event/Frozen.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { type Options, observer } from "../../src/invariant/DevInvariants.ts"
import { liveRules, select } from "../../src/invariant/Rules.ts"
import type { LogViolation } from "../../src/invariant/Verifier.ts"
import type { Message } from "../../src/message/Message.ts"
import { find, number, story, upTo } from "../../src/mutant/Story.ts"
import { deriveMessages } from "../../src/session/History.ts"
import type { SessionObserver } from "../../src/session/Observer.ts"
import { watched } from "./watched.ts"

const open = number(upTo(find("turn/start")))
const idle = story.slice(0, find("turn/end") + 1)
const ack = (
  told: "accepted" | "written" | "synced",
  seq: number,
  writtenSeq: number,
  syncedSeq: number,
) => ({
  told,
  seq,
  writtenSeq,
  syncedSeq,
})

const texts = (message: Message, text: string): Message =>
  ({ ...message, content: [{ type: "text", text }] }) as Message

type Tell = (session: SessionObserver) => void

/** What a session did, told after `existing`, and the rules that this breaks. */
const behaviours: ReadonlyArray<
  readonly [
    rules: ReadonlyArray<string>,
    what: string,
    existing: ReadonlyArray<SessionEvent>,
    tell: Tell,
    options?: Options,
  ]
> = [
  [
    [],
    "a turn that runs and ends",
    [],
    (session) => {
      session.onAppend(open)
      session.onStatus("idle", "running")
      session.onAcknowledge(ack("accepted", 3, 0, 0))
      session.onAppend(story.slice(open.length, idle.length))
      session.onStatus("running", "idle")
      session.onAcknowledge(ack("synced", 30, 30, 30))
      session.onStatus("idle", "disposed")
    },
  ],
  [
    [],
    "a turn that starts and ends in one append, whose moves are told one by one",
    [],
    (session) => {
      session.onAppend(idle)
      session.onStatus("idle", "running")
      session.onStatus("running", "idle")
      session.onAcknowledge(ack("synced", 5, 5, 5))
    },
  ],
  [
    [],
    "an open over a crashed turn, which a repair ends",
    open,
    (session) => {
      session.onAppend([
        { seq: open.length, at: 0, type: "turn/end", data: { turn: 1, reason: { kind: "interrupted" } } },
      ])
      session.onStatus("running", "idle")
    },
  ],
  // bug-083: after an abort nothing runs, and the status stays as it was.
  [
    ["status.matches"],
    "a status that stays running after the turn has ended",
    open,
    (session) => {
      session.onAppend(story.slice(open.length, idle.length))
      session.onAcknowledge(ack("synced", open.length, open.length, open.length))
      session.onRequest(deriveMessages(idle))
    },
  ],
  [
    ["status.matches"],
    "a status that becomes idle while the turn goes on",
    open,
    (session) => session.onStatus("running", "idle"),
  ],
  // bug-085: late events of an aborted turn wake a session that is idle.
  [
    ["turn.closedIsClosed", "status.matches"],
    "late chunks that wake a session",
    idle,
    (session) => {
      const late = story[find("assistant/chunk", 1)]
      if (late) session.onAppend([{ ...late, seq: idle.length }])
      session.onStatus("idle", "running")
    },
  ],
  [
    ["status.moves"],
    "a move to itself",
    idle,
    (session) => session.onStatus("idle", "idle"),
    { except: ["status.matches"] },
  ],
  [
    ["status.moves"],
    "a move from where the session is not",
    idle,
    (session) => {
      session.onAppend(story.slice(idle.length, find("turn/start", 1) + 1))
      session.onStatus("idle", "running")
      session.onAppend(story.slice(find("turn/start", 1) + 1))
      session.onStatus("idle", "disposed")
    },
  ],
  [
    ["status.moves"],
    "a session that comes back after it was disposed",
    idle,
    (session) => {
      session.onStatus("idle", "disposed")
      session.onAppend(story.slice(idle.length, find("turn/start", 1) + 1))
      session.onStatus("disposed", "running")
    },
  ],
  [
    ["store.ackDurable"],
    "a message told as synced that is only written",
    idle,
    (session) => session.onAcknowledge(ack("synced", 3, 3, 2)),
  ],
  [
    ["store.ackDurable"],
    "a result told as written that is only in memory",
    idle,
    (session) => session.onAcknowledge(ack("written", 3, 2, 3)),
  ],
  [
    ["store.ackDurable"],
    "something told that was never logged",
    idle,
    (session) => session.onAcknowledge(ack("synced", 99, 99, 99)),
  ],
  [
    ["history.request"],
    "a request with a message that the log does not derive",
    idle,
    (session) => {
      session.onRequest(deriveMessages(idle))
      session.onRequest(
        deriveMessages(idle).map((message, at) => (at === 1 ? texts(message, "forged") : message)),
      )
    },
  ],
  [
    ["history.request"],
    "a request that leaves the latest message out",
    idle,
    (session) => session.onRequest(deriveMessages(idle).slice(0, -1)),
  ],
  [
    ["history.request"],
    "a request that makes a message up",
    idle,
    (session) => session.onRequest([...deriveMessages(idle), { role: "user", content: [] }]),
  ],
  [
    ["history.replay"],
    "a logged message that is changed afterwards",
    [],
    (session) => {
      const fresh = structuredClone(idle)
      session.onAppend(fresh)
      const prompt = fresh[find("user/message")]
      if (prompt?.type === "user/message")
        Object.assign(prompt.data, { content: [{ type: "text", text: "something else" }] })
      session.onStatus("idle", "running")
      session.onStatus("running", "idle")
      session.onStatus("idle", "disposed")
    },
    { freeze: false, except: ["log.frozen"] },
  ],
  [
    ["log.frozen"],
    "an event that nobody has frozen",
    [],
    (session) => session.onAppend(structuredClone(story.slice(0, 1))),
    { freeze: false },
  ],
]

describe("the live rules", () => {
  it.effect.each(behaviours)("find %j in %s", ([rules, , existing, tell, options]) =>
    Effect.gen(function* () {
      const { found, session } = yield* watched(existing, options)
      tell(session)
      expect(found.map(({ rule }) => rule)).toEqual(rules)
    }),
  )

  it.effect("replay what was kept: nothing of a refused batch, nor of another session", () =>
    Effect.gen(function* () {
      const selected = yield* Effect.fromResult(select({ only: ["history.replay", "log.frozen"] }))
      const refuse = ({ message }: LogViolation) => {
        throw new Error(message)
      }
      const { watch } = observer(selected, { report: refuse, freeze: false })
      const at = find("assistant/message")
      const answer = deepFreeze(structuredClone(idle[at] ?? expect.fail()))
      const frozen = deepFreeze(structuredClone(idle))
      for (const id of ["one", "other"]) {
        const session = watch(id, frozen.slice(0, at))
        expect(() => session.onAppend([answer, structuredClone(answer)])).toThrow("can still be changed")
        session.onAppend(frozen.slice(at))
        session.onStatus("idle", "disposed")
      }
    }),
  )

  it("have a behaviour each that they find", () => {
    const named = new Set(behaviours.flatMap(([rules]) => rules))
    expect(liveRules.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([])
  })
})
