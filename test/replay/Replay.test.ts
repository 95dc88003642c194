import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { replay } from "../../src/replay/Replay.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { callEcho, echo, type Step, tell } from "../flow/world.ts"

const steps: ReadonlyArray<Step> = [
  { reasoning: "hm", text: "Let me see.", calls: [callEcho("a"), callEcho("b")] },
  { text: "half", error: { code: "MODEL_OVERLOADED", message: "busy", retryAfterMillis: 0 } },
  { text: "done" },
]

const log = Effect.suspend(() =>
  tell(steps, { tools: Toolbox.make(echo), instructions: "Be brief." }, ({ agent, session }) =>
    Effect.gen(function* () {
      yield* agent.prompt("go")
      yield* agent.prompt("again")
      return session.log()
    }),
  ),
)

/** Replace the first event of a type. */
const change = (
  events: ReadonlyArray<SessionEvent>,
  type: SessionEvent["type"],
  edit: (data: Record<string, unknown>) => object,
): ReadonlyArray<SessionEvent> => {
  const at = events.findIndex((event) => event.type === type)
  return events.map((event, index) =>
    index === at ? ({ ...event, data: edit({ ...Object(event.data) }) } as SessionEvent) : event,
  )
}

describe("replay", () => {
  it.effect("derives the digest of every request and every message again", () =>
    Effect.map(log, (events) => {
      const starts = events.filter(({ type }) => type === "step/start")
      const messages = events.filter(({ type }) => type === "assistant/message")
      expect(replay(events)).toEqual({
        requests: starts.length,
        messages: messages.length,
        differences: [],
      })
      expect(starts.length).toBeGreaterThan(3)
    }),
  )

  it.effect("names the first request that a changed message makes another one, and all after it", () =>
    Effect.map(log, (events) => {
      const content = [{ type: "text", text: "go away" }]
      const { differences } = replay(change(events, "user/message", (data) => ({ ...data, content })))
      const starts = events.flatMap(({ type, seq }) => (type === "step/start" ? [seq] : []))
      expect(differences.map(({ seq, what }) => [seq, what])).toEqual(starts.map((seq) => [seq, "request"]))
    }),
  )

  it.effect("names the field of a message that is not what its chunks fold to", () =>
    Effect.map(log, (events) => {
      const edited = change(events, "assistant/message", (data) => ({
        ...data,
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Let me be." },
        ],
      }))
      const [first] = replay(edited).differences
      expect(first).toMatchObject({
        what: "message",
        message: expect.stringContaining("content[1].text is "),
      })
    }),
  )

  it.effect("names a request whose config is not where it says", () =>
    Effect.map(log, (events) => {
      const edited = change(events, "step/start", (data) => ({
        ...data,
        request: { config: 0, digest: "d" },
      }))
      expect(replay(edited).differences[0]).toMatchObject({ message: "its config is not at seq 0" })
    }),
  )
})
