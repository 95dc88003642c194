import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Redaction from "../../src/message/Redaction.ts"
import * as Redactor from "../../src/redaction/Redactor.ts"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

const secret = "hunter2-correct-horse"
const redaction = Redaction.make("key")
const digest = redaction.digest(secret)
const place = { turn: 1, step: 1 }

const tool = (name: string, spec: SchemaSpec.SchemaSpec) => ({
  name,
  description: "",
  parameters: SchemaSpec.toJsonSchema(spec),
  fingerprint: "f",
})

const tools = [
  tool("login", { user: { type: "string" }, token: { type: "string", sensitive: true } }),
  tool("look", { path: { type: "string" } }),
]

const config: SessionEvent = {
  seq: 1,
  at: 0,
  type: "request/config",
  data: { model: "m", parameters: {}, tools },
}

const called = (name: string, text: string): SessionEvent => ({
  seq: 2,
  at: 0,
  type: "tool/call",
  data: { ...place, callId: "c", name, arguments: text },
})

const shown = (...events: ReadonlyArray<SessionEvent>): string => {
  const redactor = Redactor.make(redaction)
  return JSON.stringify(events.map(redactor.event).at(-1))
}

const argumentsOf = (...events: ReadonlyArray<SessionEvent>): unknown =>
  JSON.parse(shown(...events)).data.arguments

describe("a call in a log", () => {
  it("shows the digest of a secret, and all else as it was", () => {
    const text = JSON.stringify({ user: "ada", token: secret })
    expect(argumentsOf(config, called("login", text))).toBe(JSON.stringify({ user: "ada", token: digest }))
    expect(argumentsOf(config, called("look", text))).toBe(text)
    expect(argumentsOf(config, called("login", ""))).toBe("")
  })

  it("is hidden whole when it is no JSON, no object, or of a tool that nobody knows", () => {
    for (const [name, text] of [
      ["login", `{"token":"${secret}`],
      ["login", JSON.stringify(JSON.stringify({ token: secret }))],
      ["login", JSON.stringify([secret])],
      ["logn", JSON.stringify({ token: secret })],
    ] as const)
      expect(argumentsOf(config, called(name, text))).toMatch(/^"?hmac:[0-9a-f]{16}"?$/)
  })

  it("is hidden by the schema beside the one that the model was sent", () => {
    const [{ parameters: sensitive } = tool("login", {})] = tools
    const sent = { ...tool("login", { user: { type: "string" }, token: { type: "string" } }), sensitive }
    const projected: SessionEvent = { ...config, data: { ...config.data, tools: [sent] } }
    const text = JSON.stringify({ user: "ada", token: secret })
    expect(argumentsOf(projected, called("login", text))).toBe(JSON.stringify({ user: "ada", token: digest }))
  })

  it("stays hidden when a later config no longer marks it", () => {
    const unmarked: SessionEvent = {
      ...config,
      data: { ...config.data, tools: [tool("login", { token: { type: "string" } })] },
    }
    expect(shown(config, unmarked, called("login", JSON.stringify({ token: secret })))).not.toContain(secret)
  })
})

describe("an answer", () => {
  it("hides the arguments in its blocks and in the chunks they came in", () => {
    const redactor = Redactor.make(redaction)
    redactor.learn(tools)
    const chunks: ReadonlyArray<SessionEvent> = [
      { type: "block-start", block: "1", kind: "tool-call", callId: "c", name: "login" } as const,
      { type: "arguments-delta", block: "1", text: `{"token":"${secret}"}` } as const,
      { type: "block-start", block: "2", kind: "tool-call", callId: "d", name: "look" } as const,
      { type: "arguments-delta", block: "2", text: `{"path":"a"}` } as const,
    ].map((chunk, seq) => ({ seq, at: 0, type: "assistant/chunk", data: { ...place, chunk } }))
    const text = JSON.stringify(chunks.map(redactor.event))
    expect(text).not.toContain(secret)
    expect(text).toContain(String.raw`{\"path\":\"a\"}`)
    const message: SessionEvent = {
      seq: 9,
      at: 0,
      type: "assistant/message",
      data: {
        ...place,
        content: [{ type: "tool-call", callId: "c", name: "login", arguments: `{"token":"${secret}"}` }],
        finish: { kind: "tool-calls" },
      },
    }
    expect(JSON.stringify(redactor.event(message))).toContain(digest)
    expect(JSON.stringify(redactor.event(message))).not.toContain(secret)
  })
})

describe("a secret that was seen", () => {
  it("is hidden where a body repeats it, also inside JSON that is text", () => {
    const quoted = `a "${secret}"\n`
    const call = called("login", JSON.stringify({ token: quoted }))
    const result: SessionEvent = {
      seq: 3,
      at: 0,
      type: "tool/result",
      data: {
        ...place,
        callId: "c",
        outcome: "success",
        isError: false,
        content: [{ type: "text", text: `you sent ${JSON.stringify({ token: quoted })}` }],
        structured: { echo: quoted },
      },
    }
    expect(shown(config, call, result)).not.toContain(secret)
    expect(shown(config, result)).toContain(secret)
  })
})

describe("digests", () => {
  it("are equal for equal secrets under one key, and others under another", () => {
    expect(redaction.digest(secret)).toBe(digest)
    expect(redaction.digest(`${secret}!`)).not.toBe(digest)
    expect(Redaction.make("other").digest(secret)).not.toBe(digest)
  })
})
