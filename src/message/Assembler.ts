/**
 * Fold the chunks of one answer into the blocks of one message, chunk by chunk and without Effects.
 *
 * In:  `ModelChunk`s in the order in which they came.      Out: finished blocks, in the order in which they started.
 * Fails with: nothing; `push` answers with one sentence when a chunk breaks the grammar, and leaves it out.
 * Not here: what a broken answer leads to (`loop/`), the same grammar as a rule over logs (`invariant/`).
 * Source: PROTOCOL "Blocks" and "Chunks".
 */
import type { AssistantContent } from "./Content.ts"
import type { BlockChunk, Finish, ModelChunk, Usage } from "./ModelChunk.ts"

type Kind = Extract<BlockChunk, { readonly type: "block-start" }>["kind"]

/** What the grammar needs to remember of the chunks so far. */
export interface Seen {
  /** By block id: its kind while it is open, `closed` from its end on. */
  readonly blocks: Pick<ReadonlyMap<string, Kind | "closed">, "get"> &
    Iterable<readonly [string, Kind | "closed"]>
  readonly usage?: Usage
  readonly finish?: Finish
}

export interface Assembler extends Seen {
  /** Take the next chunk, or say which sentence of the grammar it breaks. */
  readonly push: (chunk: ModelChunk) => string | undefined
  /** The finished blocks. An unfinished one is never among them, so half a signature or half a call never is. */
  readonly content: () => AssistantContent
  /** The ids of the unfinished blocks. */
  readonly open: () => ReadonlyArray<string>
}

/** What a whole stream folds to; `fault` tells where the fold stopped. */
export interface Assembled {
  readonly content: AssistantContent
  readonly open: ReadonlyArray<string>
  readonly usage?: Usage
  readonly finish?: Finish
  readonly fault?: string
}

interface Draft {
  readonly start: Extract<BlockChunk, { readonly type: "block-start" }>
  text: string
  finished?: AssistantContent[number]
}

const deltas = {
  "text-delta": "text",
  "reasoning-delta": "reasoning",
  "arguments-delta": "tool-call",
} as const

export const make = (): Assembler => new Fold()

/** Fold all chunks at once; stops at the first fault. */
export const fold = (chunks: Iterable<ModelChunk>): Assembled => {
  const assembler = make()
  let fault: string | undefined
  for (const chunk of chunks) {
    fault = assembler.push(chunk)
    if (fault !== undefined) break
  }
  return {
    content: assembler.content(),
    open: assembler.open(),
    ...(assembler.usage && { usage: assembler.usage }),
    ...(assembler.finish && { finish: assembler.finish }),
    ...(fault !== undefined && { fault }),
  }
}

/** Say which sentence of the grammar `chunk` breaks after what was `seen`; changes nothing. */
export const fault = (seen: Seen, chunk: ModelChunk): string | undefined => {
  if (seen.finish) return `${nameOf(chunk)} came after the finish; nothing may`
  if (chunk.type === "usage") return seen.usage && "a second usage came; one answer has one"
  if (chunk.type === "finish") return isCut(chunk.finish) ? undefined : openFault(seen)
  if (seen.usage) return `${nameOf(chunk)} came after the usage; only the finish may`
  const state = seen.blocks.get(chunk.block)
  if (chunk.type === "block-start") {
    return state && `block ${quote(chunk.block)} starts a second time; block ids are unique in an answer`
  }
  if (state === undefined) return `${nameOf(chunk)} names a block that never started`
  if (state === "closed") return `${nameOf(chunk)} names a block that has ended`
  if (chunk.type !== "block-end" && deltas[chunk.type] !== state) {
    return `${nameOf(chunk)} does not fit: the block is of kind ${state}`
  }
  return undefined
}

class Fold implements Assembler {
  readonly blocks = new Map<string, Kind | "closed">()
  usage?: Usage
  finish?: Finish
  private readonly drafts = new Map<string, Draft>()

  readonly push = (chunk: ModelChunk): string | undefined => {
    const broken = fault(this, chunk)
    if (broken === undefined) this.take(chunk)
    return broken
  }

  readonly content = (): AssistantContent =>
    [...this.drafts.values()].flatMap((draft) => draft.finished ?? [])

  readonly open = (): ReadonlyArray<string> =>
    [...this.blocks].flatMap(([block, state]) => (state === "closed" ? [] : [block]))

  private take(chunk: ModelChunk): void {
    if (chunk.type === "usage") this.usage = chunk.usage
    else if (chunk.type === "finish") this.finish = chunk.finish
    else if (chunk.type === "block-start") {
      this.blocks.set(chunk.block, chunk.kind)
      this.drafts.set(chunk.block, { start: chunk, text: "" })
    } else this.grow(chunk)
  }

  private grow(chunk: Exclude<BlockChunk, { readonly type: "block-start" }>): void {
    const draft = this.drafts.get(chunk.block)
    if (draft === undefined) return
    if (chunk.type !== "block-end") {
      draft.text += chunk.text
      return
    }
    this.blocks.set(chunk.block, "closed")
    draft.finished = { ...toBlock(draft), ...(chunk.meta && { meta: chunk.meta }) }
  }
}

const toBlock = ({ start, text }: Draft): AssistantContent[number] =>
  start.kind === "tool-call"
    ? { type: "tool-call", callId: start.callId, name: start.name, arguments: text }
    : { type: start.kind, text }

/** These ends come in the middle of a block; the block stays unfinished. */
const isCut = ({ kind }: Finish): boolean => kind !== "stop" && kind !== "tool-calls"

const openFault = (seen: Seen): string | undefined => {
  for (const [block, state] of seen.blocks) {
    if (state !== "closed") return `the finish came while block ${quote(block)} was open`
  }
  return undefined
}

const nameOf = (chunk: ModelChunk): string =>
  chunk.type === "usage" || chunk.type === "finish"
    ? `a ${chunk.type}`
    : `${chunk.type} of block ${quote(chunk.block)}`

const quote = (text: string): string => JSON.stringify(text)
