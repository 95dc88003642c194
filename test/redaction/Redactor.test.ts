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

const delta = (seq: number, text: string, block = "1"): SessionEvent => ({
  seq,
  at: 0,
  type: "assistant/chunk",
  data: { ...place, chunk: { type: "text-delta", block, text } },
})

const ending: SessionEvent = {
  seq: 90,
  at: 0,
  type: "assistant/chunk",
  data: { ...place, chunk: { type: "block-end", block: "1" } },
}

const written = (events: ReadonlyArray<SessionEvent>): string =>
  events
    .map((event) =>
      event.type === "assistant/chunk" && "text" in event.data.chunk ? event.data.chunk.text : "",
    )
    .join("")

const said = (text: string): SessionEvent => ({
  seq: 0,
  at: 0,
  type: "user/message",
  data: { messageId: "m", content: [{ type: "text", text }], source: "user" },
})

const login = (args: object): SessionEvent => called("login", JSON.stringify(args))

describe("a secret in a text that comes in pieces", () => {
  const call = login({ token: secret })

  it("is hidden wherever it is cut, and nothing around it is lost", () => {
    const text = `I used ${secret} for hun`
    for (let size = 1; size <= text.length; size++) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? []
      const events = [config, call, ...pieces.map((piece, at) => delta(at, piece)), ending]
      expect(written(Redactor.log(redaction, events))).toBe(`I used ${digest} for hun`)
      const live = Redactor.make(redaction)
      const seen = events.flatMap((event) => {
        const rest = live.rest(event)
        return rest === undefined ? [live.event(event)] : [rest, live.event(event)]
      })
      expect(written(seen)).toBe(`I used ${digest} for hun`)
    }
  })

  it("does not show more than a few letters of it when it is broken off", () => {
    expect(written(Redactor.log(redaction, [config, call, delta(1, "hunter2-corr"), ending]))).toBe("…")
    const step: SessionEvent = { seq: 1, at: 0, type: "step/start", data: { ...place, claims: [] } }
    const cut = [config, call, step, delta(1, "it is hunter2-corr")]
    expect(written(Redactor.log(redaction, cut))).toBe("it is ")
  })

  it("is held back in each block for itself", () => {
    const events = [config, call, delta(1, "a hun"), delta(2, "ter2.", "2"), delta(3, "ter"), ending]
    expect(written(Redactor.log(redaction, events))).toBe("a ter2.…")
  })
})

describe("a whole log", () => {
  it("hides what was said before the call that shows it to be a secret", () => {
    const shownLog = Redactor.log(redaction, [
      said(`log in with ${secret}`),
      config,
      login({ token: secret }),
    ])
    expect(JSON.stringify(shownLog)).not.toContain(secret)
    expect(shownLog.map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  it("hides short texts and numbers where they stand alone", () => {
    const pins: SessionEvent = {
      ...config,
      data: {
        ...config.data,
        tools: [
          tool("login", {
            pin: { sensitive: true, type: "integer" },
            code: { sensitive: true, type: "string" },
          }),
        ],
      },
    }
    const result: SessionEvent = {
      seq: 3,
      at: 0,
      type: "tool/result",
      data: {
        ...place,
        callId: "c",
        outcome: "success",
        isError: false,
        content: [{ type: "text", text: "pin 4471, code:k9z3, not 44710 or ak9z3" }],
        structured: { pin: 4471 },
        durationMillis: 4471,
      },
    }
    const [, , shownResult] = Redactor.log(redaction, [pins, login({ pin: 4471, code: "k9z3" }), result])
    const [pin, code] = [redaction.digest(4471), redaction.digest("k9z3")]
    expect(shownResult?.data).toMatchObject({
      content: [{ text: `pin ${pin}, code:${code}, not 44710 or ak9z3` }],
      structured: { pin },
      durationMillis: 4471,
    })
  })

  it("hides the longer of two secrets whole", () => {
    const first = login({ token: secret })
    const second = login({ token: `${secret}-tail` })
    const shownLog = Redactor.log(redaction, [config, first, second, said(`${secret}-tail`)])
    expect(JSON.stringify(shownLog)).not.toContain("-tail")
  })

  it("keeps the words of the log, though one is a secret", () => {
    const events = [config, login({ token: "text" }), said("text")]
    expect(Redactor.log(redaction, events)[2]?.data).toMatchObject({
      content: [{ type: "text", text: redaction.digest("text") }],
    })
  })

  it("has keyed digests in place of those by which a secret could be guessed", () => {
    const data = { callId: "c", digest: "d1" }
    const events: ReadonlyArray<SessionEvent> = [
      {
        seq: 0,
        at: 0,
        type: "session/start",
        data: { version: 1, id: "s", createdAt: 0, parent: { id: "p", seq: 1, digest: "d1" } },
      },
      config,
      {
        seq: 2,
        at: 0,
        type: "step/start",
        data: { ...place, claims: [], request: { config: 1, digest: "d1" } },
      },
      { seq: 3, at: 0, type: "approval/asked", data: { ...place, ...data, expiresAt: 1 } },
      { seq: 4, at: 0, type: "approval/decided", data: { ...data, verdict: "allow", by: "me" } },
    ]
    const text = JSON.stringify(Redactor.log(redaction, events))
    expect(text).not.toContain('"d1"')
    expect(text.split(redaction.digest("d1")).length - 1).toBe(4)
    const harmless = { ...config, data: { ...config.data, tools: tools.slice(1) } }
    const plain = events.map((event) => (event.type === "request/config" ? harmless : event))
    expect(Redactor.log(redaction, plain)).toEqual(plain)
  })
})

describe("digests", () => {
  it("are equal for equal secrets under one key, and others under another", () => {
    expect(redaction.digest(secret)).toBe(digest)
    expect(redaction.digest(`${secret}!`)).not.toBe(digest)
    expect(Redaction.make("other").digest(secret)).not.toBe(digest)
  })
})
