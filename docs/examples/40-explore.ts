import { Effect } from "effect"
import { defineTool, Toolbox } from "effect-harness"
import { Explore } from "effect-harness/testing"

let isHeld = false

const book = defineTool({
  name: "book",
  description: "Book the last seat.",
  parameters: {},
  run: Effect.fnUntraced(function* () {
    isHeld = true
    yield* Effect.sleep("2 seconds")
    isHeld = false
  }),
})

const options: Explore.Options = {
  world: () => ({
    agent: () => {
      isHeld = false
      return { tools: Toolbox.make(book) }
    },
    model: { steps: [{ calls: [{ name: "book", arguments: "{}" }] }, { text: "Booked." }] },
    judge: () => (isHeld ? "the seat is held for ever" : undefined),
  }),
  stimuli: [Explore.prompt("Book it."), Explore.inject("It is the last one."), Explore.abort],
}

const failure = await Explore.explore(options)
console.log(failure?.story)

const again = await Explore.explore({ ...options, schedule: failure?.schedule ?? "" })
console.log(again?.rule)
