/**
 * Make the stream of a port out of what a provider's client gives chunk by chunk.
 *
 * In:  how to open an answer, as an async iterable.      Out: the stream that a `Model` answers with.
 * Order: chunks in batches of what has come, up to 256 ahead of who listens; a failure comes after all chunks before it.
 * Interrupting the stream aborts the signal and returns the iterator.
 * Fails with: what `onError` makes of a failure to open or to read.
 * Not here: what an answer must hold (`Model.ts`), providers of the AI SDK (`AiSdkModel.ts`).
 */
import { Array as Arr, Cause, Effect, Stream } from "effect"
import type { ModelChunk } from "../message/ModelChunk.ts"
import type { ModelError } from "./ModelError.ts"
import { pumpParts, type Reader } from "./pumpParts.ts"

/**
 * Stream the chunks of an async iterable, which is opened once for each run of the stream.
 *
 * `Stream.fromAsyncIterable` wakes the listening fiber for every chunk, which costs several times what the chunk does.
 */
export const fromAsyncIterable = (
  open: (signal: AbortSignal) => AsyncIterable<ModelChunk> | PromiseLike<AsyncIterable<ModelChunk>>,
  onError: (error: unknown) => ModelError,
): Stream.Stream<ModelChunk, ModelError> =>
  Stream.unwrap(
    Effect.map(
      pumpParts(async (signal) => toReader(await open(signal)), Number.POSITIVE_INFINITY),
      (pump) => {
        const pull = Effect.matchEffect(pump.take, {
          onFailure: (failure) => Effect.fail(onError(failure.type === "failed" ? failure.error : failure)),
          onSuccess: (chunks) =>
            Arr.isReadonlyArrayNonEmpty(chunks) ? Effect.succeed(chunks) : Cause.done(),
        })
        return Stream.fromPull(Effect.succeed(pull))
      },
    ),
  )

const toReader = <Part>(parts: AsyncIterable<Part>): Reader<Part> => {
  const iterator = parts[Symbol.asyncIterator]()
  return { read: () => iterator.next(), cancel: async () => iterator.return?.() }
}
