import { Effect } from "effect"
import { defineTool, Tool } from "effect-harness"

const forecast = defineTool({
  name: "forecast",
  description: "The weather of a city for the next days.",
  parameters: {
    city: { type: "string", required: true },
    days: { type: "integer", description: "How many days ahead. Default 1." },
  },
  run: ({ city, days = 1 }) => Effect.succeed(`${city}, ${days} day(s): sunny`),
})

// What a model wrote: a misspelt key, and a number in quotes.
const call = Tool.run(forecast)('{"ctiy":"Oslo","days":"3"}')

const answer = call.pipe(
  Effect.catchTags({
    ToolArgsMalformed: (error) => Effect.succeed(error.message),
    ToolArgsInvalid: (error) => Effect.succeed(error.message),
    ToolDenied: (error) => Effect.succeed(error.reason),
    ToolOutputInvalid: (error) => Effect.succeed(error.message),
  }),
)

console.log(await Effect.runPromise(answer))
