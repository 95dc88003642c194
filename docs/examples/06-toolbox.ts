import { Context, Effect, Layer } from "effect"
import { Content, defineTool, Toolbox, ToolRunner } from "effect-harness"

class Shelf extends Context.Service<Shelf, { readonly count: (item: string) => Effect.Effect<number> }>()(
  "example/Shelf",
) {}

const countItems = defineTool({
  name: "count_items",
  description: "How many of an item are on the shelf.",
  parameters: { item: { type: "string", required: true } },
  run: ({ item }) => Effect.flatMap(Shelf, (shelf) => shelf.count(item)),
})

const weighItem = defineTool({
  name: "weigh_item",
  description: "The weight of an item in grams.",
  parameters: { item: { type: "string", required: true } },
  run: ({ item }) => Effect.sync((): number => JSON.parse(`{"${item}"`)), // a bug
})

const tools = Toolbox.make(countItems, weighItem) // Toolbox<Shelf>

const shelf = Layer.succeed(Shelf, { count: (item) => Effect.succeed(item.length) })

const program = Effect.gen(function* () {
  const runner = yield* ToolRunner.make(yield* Toolbox.provide(tools, shelf))
  const calls = [
    { callId: "call-1", name: "count_items", arguments: '{"item":"lamp"}' },
    { callId: "call-2", name: "count_items", arguments: '{"item":7}' },
    { callId: "call-3", name: "weigh_item", arguments: '{"item":"lamp"}' },
    { callId: "call-4", name: "count_item", arguments: '{"item":"lamp"}' },
  ]
  for (const call of calls) {
    const { outcome, error, content } = yield* runner.execute(call)
    const told = error === undefined ? Content.toText(content) : `${error.name} ${error.code}`
    console.log(`${call.callId} ${outcome}: ${told}`)
  }
})

await Effect.runPromise(Effect.scoped(program))
