import { Effect, Stream } from "effect"
import { Ids, type Model, type ModelChunk, ModelError } from "effect-harness"

/** What your provider sends. Here: text in pieces, whole calls, and an end or an error. */
export type Line =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id?: string; readonly name: string; readonly arguments: string }
  | { readonly type: "end"; readonly tokensIn: number; readonly tokensOut: number }
  | { readonly type: "error"; readonly text: string }

export type Ask = (request: Model.ModelRequest, signal: AbortSignal) => Promise<ReadableStream<Line>>

const failed = (error: unknown) => new ModelError.ModelUnreachable({ message: String(error) })

/** One line may begin a block, go on with it, or end all that is open. */
const makeReader = (ids: Ids.Ids) => {
  let blocks = 0
  let isTalking = false
  let hasCalled = false
  const endText = (): ReadonlyArray<ModelChunk.ModelChunk> => {
    const ends = isTalking ? [{ type: "block-end", block: `${blocks}` } as const] : []
    isTalking = false
    return ends
  }
  return (line: Exclude<Line, { type: "error" }>): ReadonlyArray<ModelChunk.ModelChunk> => {
    if (line.type === "text") {
      const start = isTalking ? [] : [{ type: "block-start", block: `${++blocks}`, kind: "text" } as const]
      isTalking = true
      return [...start, { type: "text-delta", block: `${blocks}`, text: line.text }]
    }
    if (line.type === "call") {
      hasCalled = true
      const ends = endText()
      const block = `${++blocks}`
      const callId = line.id || ids.next("call")
      return [
        ...ends,
        { type: "block-start", block, kind: "tool-call", callId, name: line.name },
        { type: "arguments-delta", block, text: line.arguments },
        { type: "block-end", block },
      ]
    }
    return [
      ...endText(),
      { type: "usage", usage: { inputTokens: line.tokensIn, outputTokens: line.tokensOut } },
      { type: "finish", finish: { kind: hasCalled ? "tool-calls" : "stop" } },
    ]
  }
}

export const make = (ask: Ask): Model.Model["Service"] => ({
  name: "lines:m",
  stream: (request) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const read = makeReader(yield* Ids.Ids)
        // One signal for the request and for its answer: whoever stops listening aborts what there is of them.
        const { signal } = yield* Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort()),
        )
        const body = yield* Effect.tryPromise({ try: () => ask(request, signal), catch: failed })
        return Stream.fromReadableStream({ evaluate: () => body, onError: failed }).pipe(
          Stream.flatMap((line) =>
            line.type === "error"
              ? Stream.fail(new ModelError.ModelOverloaded({ message: line.text }))
              : Stream.fromIterable(read(line)),
          ),
        )
      }),
    ),
})
