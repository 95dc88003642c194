import { Effect } from "effect"
import { Agent, MemoryStore, SessionLog, Toolbox } from "effect-harness"
import { Providers } from "effect-harness/ai-sdk"

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.empty })
  const { text } = yield* agent.prompt("Say hello.")
  return text
})

const answer = program.pipe(
  Effect.scoped,
  Effect.provide([Providers.layer("anthropic:claude-sonnet-4-5"), MemoryStore.layer]),
  Effect.catchTags({
    ProviderNotConfigured: ({ message }) => Effect.succeed(message),
    ProviderNotInstalled: ({ message }) => Effect.succeed(message),
  }),
)

console.log(await Effect.runPromise(answer))
