import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import type { AssistantContent } from "../../src/message/Content.ts"
import type { Message } from "../../src/message/Message.ts"
import { toPrompt } from "../../src/model/toPrompt.ts"
import { request } from "./answers.ts"

const images = {
  inMessage: () => ({ type: "picture" }),
  inResult: () => ({ type: "result-picture" }),
} as const

const promptOf = (messages: ReadonlyArray<Message>, system?: string) =>
  toPrompt(
    { ...request, messages, ...(system === undefined ? { system: "" } : { system }) },
    "acme.chat",
    images,
  )

const assistant = (...content: AssistantContent) => promptOf([{ role: "assistant", content }])

const inputOf = (text: string) => {
  const [message] = assistant({ type: "tool-call", callId: "c", name: "t", arguments: text })
  const [part] = message?.role === "assistant" ? message.content : []
  return part?.type === "tool-call" ? part.input : undefined
}

const result = (text: string, isError: boolean): Message => ({
  role: "tool",
  content: [{ type: "tool-result", callId: "c", name: "t", isError, content: [{ type: "text", text }] }],
})

const outputOf = (message: Message) => {
  const [first] = promptOf([message])
  return first?.role === "tool" ? first.content[0]?.output : undefined
}

describe("a prompt", () => {
  it("begins with the system text, when there is one", () => {
    expect(promptOf([], "Be terse.")).toEqual([{ role: "system", content: "Be terse." }])
    expect(promptOf([])).toEqual([])
  })

  it("carries texts and images of a user in their order", () => {
    const content = [
      { type: "text", text: "see" },
      { type: "image", mediaType: "image/png", data: "AAAA" },
    ] as const
    expect(promptOf([{ role: "user", content }])).toEqual([
      { role: "user", content: [{ type: "text", text: "see" }, { type: "picture" }] },
    ])
  })

  it("gives meta back to the provider that made it, and to no other", () => {
    const mine = { "acme.chat": { acme: { signature: "sig" } }, other: { other: { signature: "x" } } }
    expect(
      assistant(
        { type: "reasoning", text: "mine", meta: mine },
        { type: "reasoning", text: "theirs", meta: { other: { other: {} } } },
        { type: "reasoning", text: "nobody's" },
        { type: "text", text: "so", meta: { other: { other: {} } } },
      ),
    ).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "mine", providerOptions: { acme: { signature: "sig" } } },
          { type: "text", text: "so" },
        ],
      },
    ])
  })

  it("leaves out an assistant message of which nothing is left", () => {
    expect(assistant({ type: "reasoning", text: "theirs" }, { type: "text", text: "" })).toEqual([])
  })

  it("sends arguments that are a JSON object as that object", () => {
    expect(inputOf('{"path":"a","__proto__":1}')).toEqual(JSON.parse('{"path":"a","__proto__":1}'))
    expect(inputOf("")).toEqual({})
  })

  it.each([
    ["broken JSON", '{"path":'],
    ["JSON text in JSON text", '"{\\"param\\":\\"max\\"}"'],
    ["an array", "[1]"],
    ["null", "null"],
    ["nesting that breaks writers", `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
  ])("sends arguments that are %s as their raw text in an object", (_, text) => {
    expect(inputOf(text)).toEqual({ _raw: text })
  })

  it("says in the text that a result is an error, once", () => {
    expect(outputOf(result("no such file", true))).toEqual({
      type: "error-text",
      value: "Error: no such file",
    })
    expect(outputOf(result("Error ENOENT", true))).toEqual({ type: "error-text", value: "Error ENOENT" })
    expect(outputOf(result("Error: is what it found", false))).toEqual({
      type: "text",
      value: "Error: is what it found",
    })
  })

  it("keeps the images of a result, also of a failed one", () => {
    const content = [{ type: "image", mediaType: "image/png", url: "https://example.com/a.png" }] as const
    const of = (isError: boolean): Message => ({
      role: "tool",
      content: [{ type: "tool-result", callId: "c", name: "t", isError, content }],
    })
    expect(outputOf(of(false))).toEqual({ type: "content", value: [{ type: "result-picture" }] })
    expect(outputOf(of(true))).toEqual({
      type: "content",
      value: [{ type: "text", text: "Error:" }, { type: "result-picture" }],
    })
  })

  it("replaces half of a surrogate pair wherever it stands, and leaves whole pairs alone", () => {
    const half = "aaaa😀".slice(0, 5)
    const prompt = promptOf(
      [
        { role: "user", content: [{ type: "text", text: half }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: half },
            { type: "tool-call", callId: "c", name: "t", arguments: '{"deep":["\\ud83d"],"\\ude00":"😀"}' },
            { type: "tool-call", callId: "d", name: "t", arguments: half },
          ],
        },
        result(half, false),
      ],
      half,
    )
    const wire = JSON.stringify(prompt)
    expect(wire).not.toMatch(/\\ud[89a-f]/i)
    expect(wire.match(/\uFFFD/g)).toHaveLength(7)
    expect(wire).toContain("😀")
  })

  it("has no blank text, which providers refuse, and says that there was nothing", () => {
    const empty = [{ type: "text", text: "(empty)" }]
    expect(promptOf([], " \n")).toEqual([])
    expect(promptOf([{ role: "user", content: [] }])).toEqual([{ role: "user", content: empty }])
    expect(promptOf([{ role: "user", content: [{ type: "text", text: " " }] }])).toEqual([
      { role: "user", content: empty },
    ])
    expect(assistant({ type: "text", text: "\n\n" })).toEqual([])
    expect(outputOf(result("", false))).toEqual({ type: "text", value: "(empty)" })
    expect(outputOf(result("", true))).toEqual({ type: "error-text", value: "Error: (empty)" })
  })

  it("has only names of tools that providers take, whatever a model called", () => {
    const nameOf = (name: string) => {
      const called = assistant({ type: "tool-call", callId: "c", name, arguments: "{}" })
      const answered = promptOf([
        { role: "tool", content: [{ type: "tool-result", callId: "c", name, isError: true, content: [] }] },
      ])
      return [called, answered].map(([message]) =>
        message?.role === "assistant" || message?.role === "tool"
          ? message.content.map((part) => ("toolName" in part ? part.toolName : undefined))
          : [],
      )
    }
    expect(nameOf("read_file")).toEqual([["read_file"], ["read_file"]])
    expect(nameOf("functions.read file")).toEqual([["functions_read_file"], ["functions_read_file"]])
    expect(nameOf("")).toEqual([["unnamed"], ["unnamed"]])
    expect(nameOf("x".repeat(100))).toEqual([["x".repeat(64)], ["x".repeat(64)]])
  })

  it("has a text for an image that is nowhere", () => {
    for (const where of [{}, { data: "" }, { url: "not a url" }]) {
      const content = [{ type: "image", mediaType: "image/png", ...where } as const]
      expect(promptOf([{ role: "user", content }])).toEqual([
        { role: "user", content: [{ type: "text", text: expect.stringContaining("an image was here") }] },
      ])
    }
  })
})
