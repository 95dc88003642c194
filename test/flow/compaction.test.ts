/** A history grows too long for its model; a summary takes the place of its older part, and the log keeps all of it. */
import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import type { Message } from "../../src/message/Message.ts"
import type { Model, ModelRequest } from "../../src/model/Model.ts"
import { ModelContextOverflow } from "../../src/model/ModelError.ts"
import { replay } from "../../src/replay/Replay.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { resume } from "../recovery/cutLog.ts"
import { all, callBlock, chunks, echo, finish, say, tell, textBlock } from "./world.ts"

const overflow = new ModelContextOverflow({ message: "too long" })

/** A model that takes so many messages; it calls `echo` until it has seen `calls` results, and summarises when asked to. */
const small = (size: number, calls: number) => {
  const requests: Array<ModelRequest> = []
  let called = 0
  const model: Model["Service"] = {
    name: "small:test",
    stream: (request) => {
      requests.push(request)
      if (request.tools.length === 0) return say("SUMMARY")
      if (request.messages.length > size) return Stream.fail(overflow)
      if (called === calls) return say("done")
      called += 1
      const call = callBlock(`c${called}`, "echo", JSON.stringify({ word: `w${called}` }))
      return chunks(textBlock("t", `step ${called}`), call, finish("tool-calls"))
    },
  }
  return { model, requests }
}

const options = { tools: Toolbox.make(echo) }

/** bug-050: every call is followed by its results, and no result stands alone. */
const isPaired = (messages: ReadonlyArray<Message>): boolean =>
  messages.every((message, at) => {
    const calls =
      message.role === "assistant" ? message.content.filter(({ type }) => type === "tool-call") : []
    const next = messages[at + 1]
    const before = messages[at - 1]
    const isAnswered = calls.length === 0 || (next?.role === "tool" && next.content.length === calls.length)
    const isAsked = message.role !== "tool" || before?.role === "assistant"
    return isAnswered && isAsked
  })

const textOf = (message: Message | undefined): string => JSON.stringify(message?.content)

describe("a history that is too long for its model", () => {
  it.effect("is compacted between two steps of the turn, which goes on: no pair is cut", () => {
    const { model, requests } = small(5, 4)
    return tell(model, options, ({ agent, session }) =>
      Effect.gen(function* () {
        const result = yield* agent.prompt("go")
        expect(result).toMatchObject({ text: "done", reason: { kind: "completed" } })
        const asked = requests.filter(({ tools }) => tools.length > 0)
        expect(asked.map(({ messages }) => isPaired(messages))).toEqual(asked.map(() => true))
        expect(all(session, "history/compacted").length).toBeGreaterThan(0)
        expect(textOf(session.messages()[0])).toContain("SUMMARY")
        expect(replay(session.log()).differences).toEqual([])
      }),
    )
  })

  it.effect("loses what came before the open turn first, and nothing of the log", () => {
    const { model } = small(5, 1)
    return tell(model, options, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("first")
        const before = session.log()
        yield* agent.prompt("second")
        yield* agent.prompt("third")
        const [compacted] = all(session, "history/compacted")
        const third = session.log().findLast(({ type }) => type === "turn/start")?.seq ?? 0
        expect(compacted?.to).toBeLessThan(third)
        expect(session.messages().map(textOf).join()).toContain("third")
        expect(session.messages().map(textOf).join()).not.toContain("first")
        expect(session.log().slice(0, before.length)).toEqual(before)
      }),
    )
  })

  it.effect("fails the turn when it cannot be shorter, and when compaction is off", () =>
    Effect.gen(function* () {
      const one = yield* tell(small(0, 0).model, options, ({ agent }) => agent.prompt("go"))
      expect(one.error?._tag).toBe("ModelContextOverflow")
      const off = { ...options, compaction: "off" } as const
      const two = yield* tell(small(3, 4).model, off, ({ agent }) => agent.prompt("go"))
      expect(two.error?._tag).toBe("ModelContextOverflow")
    }),
  )

  it.effect("fails the turn when the summary fails", () => {
    const compaction = { summarise: () => Effect.fail(overflow) }
    return tell(small(3, 4).model, { ...options, compaction }, ({ agent, session }) =>
      Effect.map(agent.prompt("go"), ({ error }) => {
        expect(error?._tag).toBe("ModelContextOverflow")
        expect(all(session, "history/compacted")).toEqual([])
      }),
    )
  })

  it.effect("is summarised by a function when one is given", () => {
    const seen: Array<ReadonlyArray<Message>> = []
    const compaction = {
      summarise: (messages: ReadonlyArray<Message>) =>
        Effect.sync(() => {
          seen.push(messages)
          return { content: [{ type: "text", text: `${messages.length} messages` }] } as const
        }),
    }
    return tell(small(5, 4).model, { ...options, compaction }, ({ agent, session }) =>
      Effect.map(agent.prompt("go"), () => {
        expect(seen.map(isPaired)).toEqual(seen.map(() => true))
        expect(textOf(session.messages()[0])).toContain("messages")
      }),
    )
  })

  it.effect("is not compacted a second time by a process that takes the turn up right after", () =>
    Effect.gen(function* () {
      const log = yield* tell(small(5, 4).model, options, ({ agent, session }) =>
        Effect.map(agent.prompt("go"), () => session.log()),
      )
      const at = log.findIndex(({ type }: SessionEvent) => type === "history/compacted")
      const types = yield* resume(log.slice(0, at + 1), [{ text: "over" }], options, ({ agent, added }) =>
        Effect.map(agent.resumed, () => added().map(({ type }) => type)),
      )
      expect(types.slice(0, 3)).toEqual(["session/resume", "request/config", "step/start"])
      expect(types).not.toContain("history/compacted")
    }),
  )
})

describe("compact", () => {
  it.effect("by hand puts a summary in the place of everything, once, and the next turn reads it", () => {
    const { model, requests } = small(99, 1)
    return tell(model, options, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        const compacted = yield* agent.compact()
        expect(compacted).toMatchObject({ from: 1, content: [{ text: "SUMMARY" }] })
        expect(session.messages()).toHaveLength(1)
        expect(yield* agent.compact()).toBeUndefined()
        yield* agent.prompt("and now")
        expect(requests.at(-1)?.messages.map(textOf)).toEqual([
          expect.stringContaining("SUMMARY"),
          expect.stringContaining("and now"),
        ])
        const again = yield* agent.compact(() =>
          Effect.succeed({ content: [{ type: "text", text: "short" }] }),
        )
        expect(again?.from).toBe(compacted?.from)
        expect(session.messages().map(textOf)).toEqual([expect.stringContaining("short")])
      }),
    )
  })
})
