/**
 * The rules of the group chunk: pieces of blocks are well formed, and the message is what they add up to.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: the grammar itself and the fold to blocks (`message/Assembler.ts`).
 */
import { HashMap, Option } from "effect"
import { Broken, type Rule } from "../contract/Rule.ts"
import { isSame } from "../contract/Sameness.ts"
import * as Assembler from "../message/Assembler.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { BlockChunk } from "../message/ModelChunk.ts"
import { inStep } from "./inStep.ts"

type Kind = Extract<BlockChunk, { readonly type: "block-start" }>["kind"]
type State = Kind | "closed"

/** The blocks of a step, as the assembler reads them: made once a start and end, not once a piece. */
class Blocks implements Assembler.Seen {
  readonly #states: HashMap.HashMap<string, State>

  constructor(states: HashMap.HashMap<string, State>) {
    this.#states = states
  }

  get blocks(): this {
    return this
  }

  get(block: string): State | undefined {
    return Option.getOrUndefined(HashMap.get(this.#states, block))
  }

  [Symbol.iterator](): Iterator<[string, State]> {
    return this.#states[Symbol.iterator]()
  }

  with(block: string, state: State): Blocks {
    return new Blocks(HashMap.set(this.#states, block, state))
  }
}

const grammar = inStep({
  id: "chunk.grammar",
  statement:
    "In a step each block starts once, grows by pieces of its own kind, ends once, and is then over.",
  hint: "The model adapter sends a broken stream; end the step with an error instead of logging it.",
  on: ["assistant/chunk"],
  initial: new Blocks(HashMap.empty()),
  judge: (blocks, { data: { chunk } }) => {
    const fault = Assembler.fault(blocks, chunk)
    if (fault !== undefined) return new Broken(blocks, [fault])
    if (chunk.type === "block-start") return blocks.with(chunk.block, chunk.kind)
    return chunk.type === "block-end" ? blocks.with(chunk.block, "closed") : blocks
  },
})

/** The chunks of a step, the latest first: constant time and shared between the states of the fold. */
interface Chunks {
  readonly chunk: BlockChunk
  readonly before: Chunks | undefined
}

const assembles = inStep<Chunks | undefined, "assistant/chunk" | "assistant/message">({
  id: "chunk.assembles",
  statement:
    "A message is what the finished blocks of its step's chunks add up to, if there are any; a cut one leaves out its calls.",
  hint: "Write the assembled blocks as they are, in the order in which they started; none at all is no message.",
  on: ["assistant/chunk", "assistant/message"],
  initial: undefined,
  judge: (chunks, event) => {
    if (event.type === "assistant/chunk") return { chunk: event.data.chunk, before: chunks }
    const { content, finish } = event.data
    if (content.length === 0)
      return new Broken(undefined, ["the message is empty, and such a one is left out"])
    const assembled = assemble(chunks)
    const cut = finish.kind === "aborted" || finish.kind === "error"
    const expected = cut ? assembled.filter((block) => block.type !== "tool-call") : assembled
    const wrong = difference(expected, cut ? content.filter((block) => block.type !== "tool-call") : content)
    return wrong === undefined ? undefined : new Broken(undefined, [wrong])
  },
})

const assemble = (chunks: Chunks | undefined): AssistantContent => {
  const inOrder: Array<BlockChunk> = []
  for (let link = chunks; link !== undefined; link = link.before) inOrder.push(link.chunk)
  const assembler = Assembler.make()
  for (const chunk of inOrder.reverse()) assembler.push(chunk)
  return assembler.content()
}

/** Empty blocks say nothing, so either side may leave them out. */
const difference = (assembled: AssistantContent, content: AssistantContent): string | undefined => {
  const expected = assembled.filter(saysSomething)
  const got = content.filter(saysSomething)
  const index = expected.findIndex((block, at) => {
    const other = got[at]
    return other === undefined || !isSame(other, block)
  })
  if (index >= 0) return `block ${index} of the message is not what its chunks add up to`
  return got.length > expected.length
    ? `the message has ${got.length} blocks, its chunks ${expected.length}`
    : undefined
}

const saysSomething = (block: AssistantContent[number]): boolean =>
  block.type === "tool-call" || block.text !== "" || block.meta !== undefined

export const rules: ReadonlyArray<Rule> = [grammar, assembles]
