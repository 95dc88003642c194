/**
 * Read what a provider says, part by part, into batches, with a limit on its silence.
 *
 * In:  how to open its answer, given an AbortSignal.
 * Out: `take`: all parts that have arrived since the last take, at least one, or nothing at the end.
 * Order: at most `ahead` parts are read before they are taken. A taker that waits is woken a turn of the scheduler after
 *        the first part, and finds all that came with it: it is the wake-up that costs. When the scope closes, the
 *        signal aborts and the reader is cancelled, so the connection closes also while it still waits for the first byte.
 * Fails with: what opening or reading failed with, or `silent` when the provider says nothing for too long.
 * Not here: what the parts mean (`toChunks.ts`).
 */
import { Clock, Effect, type Scope } from "effect"

export interface Pump<Part> {
  readonly take: Effect.Effect<ReadonlyArray<Part>, PumpFailure>
}

/** The reader of a `ReadableStream`, or what can be read like one. */
export interface Reader<Part> {
  readonly read: () => PromiseLike<{ readonly done?: boolean; readonly value?: Part | undefined }>
  readonly cancel: () => Promise<unknown>
}

/** `answered` tells whether the provider had begun to answer. */
export type PumpFailure =
  | { readonly type: "failed"; readonly error: unknown; readonly answered: boolean }
  | { readonly type: "silent"; readonly answered: boolean }

/** Units: parts. */
const ahead = 256

/** Units: `idleMillis` in milliseconds between two parts, the first one included. */
export const pumpParts = <Part>(
  open: (signal: AbortSignal) => PromiseLike<Reader<Part>>,
  idleMillis: number,
): Effect.Effect<Pump<Part>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const isWatched = Number.isFinite(idleMillis)
    const state = new State<Part>(() => (isWatched ? clock.currentTimeMillisUnsafe() : 0))
    yield* Effect.acquireRelease(
      Effect.sync(() => void state.run(open)),
      () => Effect.sync(() => state.stop()),
    )
    if (isWatched) yield* Effect.forkScoped(watch(state, idleMillis))
    return { take: take(state) }
  })

const take = <Part>(state: State<Part>): Effect.Effect<ReadonlyArray<Part>, PumpFailure> => {
  const drain = Effect.suspend(() => state.drain())
  const wait = Effect.callback<void>((resume) => {
    state.onReady = () => resume(Effect.yieldNow)
  })
  const drainLater = Effect.flatMap(wait, () => drain)
  return Effect.suspend(() => (state.isReady() ? state.drain() : drainLater))
}

const watch = <Part>(state: State<Part>, idleMillis: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (;;) {
      const silence = state.silenceMillis()
      if (silence >= idleMillis) return state.fail({ type: "silent", answered: state.answered })
      yield* Effect.sleep(idleMillis - silence)
    }
  })

class State<Part> {
  answered = false
  onReady: (() => void) | undefined
  private parts: Array<Part> = []
  private ended = false
  private failure: PumpFailure | undefined
  private room: (() => void) | undefined
  /** Since when the provider is expected to speak; nothing while the reader rests. */
  private waitingSince: number | undefined
  private reader: Reader<Part> | undefined
  private stopped = false
  private readonly controller = new AbortController()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  readonly isReady = (): boolean => this.parts.length > 0 || this.ended || this.failure !== undefined

  readonly silenceMillis = (): number =>
    this.waitingSince === undefined ? 0 : Math.max(0, this.now() - this.waitingSince)

  /** Parts first; the end or the failure only when none is left. */
  readonly drain = (): Effect.Effect<ReadonlyArray<Part>, PumpFailure> => {
    const parts = this.parts
    this.parts = []
    this.room?.()
    this.room = undefined
    return parts.length === 0 && this.failure ? Effect.fail(this.failure) : Effect.succeed(parts)
  }

  readonly fail = (failure: PumpFailure): void => {
    this.failure ??= failure
    this.stopped = true
    this.controller.abort()
    this.wake()
  }

  readonly stop = (): void => {
    this.stopped = true
    this.controller.abort()
    this.room?.()
    // A reader that has failed says so again when it is cancelled; that was told already.
    this.reader?.cancel().catch(() => undefined)
  }

  readonly run = async (open: Parameters<typeof pumpParts<Part>>[0]): Promise<void> => {
    try {
      this.waitingSince = this.now()
      this.reader = await open(this.controller.signal)
      await this.readAll(this.reader)
    } catch (error) {
      this.fail({ type: "failed", error, answered: this.answered })
    }
    this.waitingSince = undefined
  }

  private async readAll(reader: Reader<Part>): Promise<void> {
    while (!this.stopped) {
      this.waitingSince = this.now()
      const { done, value } = await reader.read()
      this.waitingSince = undefined
      if (done || value === undefined) {
        this.ended = true
        return this.wake()
      }
      this.answered = true
      this.parts.push(value)
      this.wake()
      if (this.parts.length >= ahead) {
        await new Promise<void>((resolve) => {
          this.room = resolve
        })
      }
    }
    // The scope may have closed before there was a reader to cancel.
    await reader.cancel()
  }

  private wake(): void {
    const onReady = this.onReady
    this.onReady = undefined
    onReady?.()
  }
}
