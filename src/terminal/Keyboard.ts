/**
 * What a person types: lines of stdin, and answers to questions.
 *
 * In:  stdin; at a terminal with a line editor, else as it comes.      Out: lines in order, each once; answers.
 * Order: while a question stands, the next line answers it. One question at a time.
 * Not here: what is asked (`Approval.ts`), what a line means (`cli/chat.ts`).
 */
import { createInterface, type Interface } from "node:readline"
import { Effect, type Scope, Semaphore, Stream } from "effect"

export interface Keyboard {
  /** From when it was opened; ends at Ctrl-D. */
  readonly lines: Stream.Stream<string>
  /** Say that the next line is awaited. */
  readonly prompt: () => void
  /** Ask for one line; empty when there is none to come. An interruption takes the question back. */
  readonly ask: (question: string) => Effect.Effect<string>
}

/** Whether somebody can see a question and answer it. */
export const isThere = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

export const open: Effect.Effect<Keyboard, never, Scope.Scope> = Effect.gen(function* () {
  const isTyped = isThere()
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = createInterface({
        input: process.stdin,
        output: process.stderr,
        terminal: isTyped,
        prompt: "› ",
      })
      // In raw mode the terminal gives Ctrl-C to the reader and not to the process.
      made.on("SIGINT", () => process.emit("SIGINT"))
      return made
    }),
    (made) => Effect.sync(() => made.close()),
  )
  // Made now, so that no line is lost that comes before somebody reads.
  const iterator = reader[Symbol.asyncIterator]()
  const turn = Semaphore.makeUnsafe(1)
  return {
    lines: Stream.orDie(
      Stream.fromAsyncIterable({ [Symbol.asyncIterator]: () => iterator }, (error) => error),
    ),
    prompt: () => {
      if (isTyped) reader.prompt()
    },
    ask: (question) => turn.withPermit(answer(reader, question)),
  }
})

const answer = (reader: Interface, question: string): Effect.Effect<string> =>
  Effect.callback((resume, signal) => {
    const giveUp = () => resume(Effect.succeed(""))
    reader.once("close", giveUp)
    reader.question(question, { signal }, (line) => {
      reader.off("close", giveUp)
      resume(Effect.succeed(line))
    })
    return Effect.sync(() => reader.off("close", giveUp))
  })
