/**
 * `effect-harness chat`: a session of many turns, a line of input each.
 *
 * In:  lines of stdin.      Out: the timeline on stderr, answers on stdout.
 * Fails with: what `openAgent` fails with; a turn that fails is told and the chat goes on.
 * Not here: one turn (`run.ts`).
 */
import { createInterface } from "node:readline"
import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import type { Agent } from "../loop/Agent.ts"
import * as flags from "../setup/Flags.ts"
import { openAgent } from "../setup/OpenAgent.ts"
import { abortTurnOnInterrupt } from "../terminal/Signals.ts"
import { notePaint, writeNote, writeResult } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"

export const chat = Command.make("chat", flags.agent, (config) =>
  Effect.gen(function* () {
    const { session, agent } = yield* openAgent(config)
    yield* abortTurnOnInterrupt(session, agent)
    const isWatched = process.stderr.isTTY === true
    const isTyped = isWatched && process.stdin.isTTY === true
    // The timeline, streaming, shows the answer where stdout would show it again.
    const isShown = isWatched && process.stdout.isTTY === true
    const timeline = Timeline.make({ paint: yield* notePaint, streaming: isWatched })
    session.subscribe((event) => writeNote(timeline.render(event)))
    writeNote(`log: ${session.location}\nCtrl-C aborts a turn, Ctrl-D ends the chat\n`)
    const reader = yield* openReader(isTyped)
    const lines = Stream.orDie(Stream.fromAsyncIterable(reader, (error) => error))
    yield* Stream.runForEach(lines, (line) =>
      Effect.gen(function* () {
        if (line.trim() !== "") yield* converse(agent, line, isShown)
        if (isTyped) reader.prompt()
      }),
    )
  }).pipe(Effect.scoped),
).pipe(Command.withDescription("Talk with an agent in a new session"))

const converse = (agent: Agent, line: string, isShown: boolean) =>
  Effect.map(agent.prompt(line), ({ text }) => {
    if (!isShown && text !== "") writeResult(`${text}\n`)
  })

/** Lines of stdin; those that come while a turn runs wait. */
const openReader = (isTyped: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const reader = createInterface({
        input: process.stdin,
        output: process.stderr,
        terminal: isTyped,
        prompt: "› ",
      })
      // In raw mode the terminal gives Ctrl-C to the reader and not to the process.
      reader.on("SIGINT", () => process.emit("SIGINT"))
      if (isTyped) reader.prompt()
      return reader
    }),
    (reader) => Effect.sync(() => reader.close()),
  )
