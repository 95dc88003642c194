/** Ways in which a payload of the core is not one, as JSON texts where JSON can say it. */
export const badPayloads: ReadonlyArray<readonly [what: string, type: string, data: unknown]> = [
  ["a missing field", "step/end", { turn: 1 }],
  ["a field too many", "step/end", { turn: 1, step: 1, note: "x" }],
  [
    "a field too many in a block",
    "user/message",
    { messageId: "m", source: "user", content: [{ type: "text", text: "", x: 1 }] },
  ],
  ["a field of the wrong type", "turn/abort", { turn: "1", reason: "" }],
  ["a fraction as a count", "step/end", { turn: 1.5, step: 1 }],
  ["a turn below 1", "step/end", { turn: 0, step: 1 }],
  ["an unknown literal", "turn/end", { turn: 1, reason: { kind: "bored" } }],
  [
    "an unknown block",
    "assistant/message",
    { turn: 1, step: 1, content: [{ type: "video" }], finish: { kind: "stop" } },
  ],
  [
    "an unknown chunk",
    "assistant/chunk",
    { turn: 1, step: 1, chunk: { type: "finish", finish: { kind: "stop" } } },
  ],
  ["an empty id", "tool/call", { turn: 1, step: 1, callId: "", name: "add", arguments: "{}" }],
  ["null for an absent field", "turn/end", { turn: 1, reason: { kind: "completed", code: null } }],
  ["an array for an object", "step/end", []],
  ["no object at all", "step/end", "turn 1"],
  [
    "parsed arguments for their text",
    "tool/call",
    { turn: 1, step: 1, callId: "c", name: "add", arguments: {} },
  ],
  ["a type without a vendor that is none of the core", "plugin/extra", { x: 1 }],
]
