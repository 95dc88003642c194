/**
 * Say in few words what a history says in many: by a model, or by a function of the caller's.
 *
 * In:  messages.      Out: the content that stands in their place, and what it cost.
 * Fails with: for a model, `ModelError`; an answer without text is a `ModelProtocolViolated`.
 * Not here: which messages (`Compaction.ts`).
 */
import { Effect, Stream } from "effect"
import * as Assembler from "../message/Assembler.ts"
import { type Block, type Content, toText } from "../message/Content.ts"
import type { Message } from "../message/Message.ts"
import type { Usage } from "../message/ModelChunk.ts"
import type { Model, ModelRequest } from "../model/Model.ts"
import { type ModelError, ModelProtocolViolated } from "../model/ModelError.ts"

export interface Summary {
  readonly content: Content
  readonly usage?: Usage
}

export type Summarise<E = never, R = never> = (
  messages: ReadonlyArray<Message>,
) => Effect.Effect<Summary, E, R>

/** What a model is told that is to summarise. */
export const instructions = `You are given the transcript of the work of an assistant that has run out of space for it. Your answer will stand in its place, and the assistant goes on from it alone.
Keep: what the user asked for, in the user's own words, and every later correction; what was decided and why; what was found out (names, paths, numbers, errors, exactly as they are); what has been done, above all what changed something; what is left to do.
Leave out what no longer matters. Do not continue the work, and do not address the user.`

/**
 * Let a model summarise. It reads a transcript, in one message and without tools, so that any model can read the
 * history of any other. When even that is too long for it, it reads the halves, one after the other.
 */
export const byModel =
  (model: Model["Service"]): Summarise<ModelError> =>
  (messages) =>
    Effect.catchTag(ask(model, messages), "ModelContextOverflow", (error) => {
      if (messages.length < 2) return Effect.fail(error)
      const half = Math.ceil(messages.length / 2)
      return Effect.flatMap(byModel(model)(messages.slice(0, half)), (first) =>
        Effect.map(
          byModel(model)([{ role: "user", content: first.content }, ...messages.slice(half)]),
          (second) => ({ ...second, ...add(first.usage, second.usage) }),
        ),
      )
    })

/** What a model is asked for a summary of these messages. */
export const toRequest = (messages: ReadonlyArray<Message>): ModelRequest => {
  const text = `<transcript>\n${messages.map(transcribe).join("\n")}\n</transcript>\n\nSummarise it.`
  return {
    system: instructions,
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    toolChoice: "none",
    sampling: {},
  }
}

const ask = (
  { stream }: Model["Service"],
  messages: ReadonlyArray<Message>,
): Effect.Effect<Summary, ModelError> =>
  Effect.gen(function* () {
    const chunks = yield* Stream.runCollect(Stream.suspend(() => stream(toRequest(messages))))
    const { content, usage } = Assembler.fold(chunks)
    const said = toText(content).trim()
    if (said === "") return yield* new ModelProtocolViolated({ message: "the summary has no text" })
    return { content: [{ type: "text", text: said }], ...(usage !== undefined && { usage }) }
  })

const transcribe = ({ role, content }: Message): string =>
  [...content].map((block) => `[${role}] ${write(block)}`).join("\n")

const write = (block: Block): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "reasoning":
      return "(thinks)"
    case "image":
      return `(image ${block.mediaType})`
    case "tool-call":
      return `calls ${block.name} ${block.arguments}`
    case "tool-result":
      return `${block.name} ${block.isError ? "failed" : "gave"}: ${toText(block.content)}`
  }
}

const add = (one: Usage | undefined, other: Usage | undefined): { readonly usage?: Usage } => {
  if (one === undefined || other === undefined) {
    const usage = one ?? other
    return usage === undefined ? {} : { usage }
  }
  return {
    usage: {
      ...one,
      inputTokens: one.inputTokens + other.inputTokens,
      outputTokens: one.outputTokens + other.outputTokens,
    },
  }
}
