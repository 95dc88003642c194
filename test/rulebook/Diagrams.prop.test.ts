import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import { isCoreType, payloads, type SessionEvent } from "../../src/event/SessionEvent.ts"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"
import { type Diagram, diagrams, toMermaid } from "../../src/rulebook/Diagrams.ts"

const movesOf = (diagram: Diagram) => diagram.moves

/** The things that an event moves: one name each. A diagram of the whole session has one thing. */
const things: { readonly [group: string]: (event: SessionEvent) => ReadonlyArray<string> } = {
  log: () => ["log"],
  turn: () => ["turns"],
  step: () => ["steps"],
  inbox: (event) => {
    if (event.type === "turn/start" || event.type === "step/start") return event.data.claims
    if (event.type === "message/cancelled") return event.data.messageIds
    const data: unknown = event.data
    return typeof data === "object" && data !== null && "messageId" in data ? [String(data.messageId)] : []
  },
  call: (event) => {
    if (event.type === "assistant/message")
      return event.data.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
    const data: unknown = event.data
    return typeof data === "object" && data !== null && "callId" in data ? [String(data.callId)] : []
  },
  chunk: (event) =>
    event.type === "assistant/chunk"
      ? [`${event.data.turn} ${event.data.step} ${event.data.chunk.block}`]
      : [],
}

const wordOf = (group: string, event: SessionEvent): string => {
  if (group !== "chunk" || event.type !== "assistant/chunk") return event.type
  const { type } = event.data.chunk
  return type === "block-start" || type === "block-end" ? type : "a delta of its kind"
}

/** Follow a log through a diagram; gives the first event that no move takes. */
const stray = (
  group: string,
  diagram: Diagram,
  log: ReadonlyArray<SessionEvent>,
): SessionEvent | undefined => {
  const words = new Set(diagram.moves.map(({ on }) => on))
  const begins = diagram.moves.flatMap(({ from, on, to }) => (from === "[*]" && on === undefined ? [to] : []))
  const states = new Map<string, ReadonlyArray<string>>()
  return log.find((event) => {
    const word = wordOf(group, event)
    if (!words.has(word)) return false
    return (things[group]?.(event) ?? []).some((thing) => {
      const now = states.get(thing) ?? (begins.length > 0 ? begins : ["[*]"])
      const next = diagram.moves.flatMap(({ from, on, to }) =>
        on === word && now.includes(from) ? [to] : [],
      )
      states.set(thing, next)
      return next.length === 0
    })
  })
}

describe("the diagrams", () => {
  it("are one for every group of rules, and no other", () => {
    const groups = new Set([...logRules, ...liveRules].map(({ id }) => id.split(".", 1).join()))
    expect(Object.keys(diagrams).sort()).toEqual([...groups].sort())
  })

  it("have a place for every type of event", () => {
    const drawn = new Set(
      Object.values(diagrams)
        .flatMap(movesOf)
        .map(({ on }) => on),
    )
    expect(Object.keys(payloads).filter((type) => !drawn.has(type))).toEqual([])
  })

  it("name no event that there is not", () => {
    const named = Object.values(diagrams)
      .flatMap(movesOf)
      .flatMap(({ on = "" }) => (on.includes("/") ? [on] : []))
    expect(named.filter((type) => !isCoreType(type))).toEqual([])
  })

  it.each(Object.entries(diagrams))("can be drawn: %s", (_, diagram) => {
    const [head, ...lines] = toMermaid(diagram).split("\n")
    expect(head).toBe("stateDiagram-v2")
    for (const line of lines) expect(line).toMatch(/^ {2}(\[\*\]|[a-z]+) --> [a-z]+(: [a-z0-9/,' -]+)?$/)
    const reached = new Set(["[*]"])
    for (let size = 0; size < reached.size; ) {
      size = reached.size
      for (const { from, to } of diagram.moves) if (reached.has(from)) reached.add(to)
    }
    expect(diagram.moves.filter(({ from }) => !reached.has(from))).toEqual([])
  })

  it.each(Object.keys(things))("let every lawful log pass: %s", (group) => {
    const diagram = diagrams[group]
    fc.assert(
      fc.property(lawful, (log) => {
        expect(diagram && stray(group, diagram, log)).toBe(undefined)
      }),
    )
  })

  it("stop a log that is none", () => {
    const event = (type: "turn/start" | "turn/end", seq: number) => ({ seq, at: 0, type, data: {} }) as never
    const twice = [event("turn/start", 0), event("turn/end", 1), event("turn/end", 2)]
    expect(diagrams["turn"] && stray("turn", diagrams["turn"], twice)).toBe(twice[2])
  })
})
