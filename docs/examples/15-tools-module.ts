import { Effect } from "effect"
import { defineTool, Toolbox } from "effect-harness"

const dayOfWeek = defineTool({
  name: "day_of_week",
  description: "The day of the week of a date.",
  parameters: { date: { type: "string", required: true, description: "YYYY-MM-DD" } },
  run: ({ date }) =>
    Effect.sync(() => new Date(date).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })),
})

export default Toolbox.make(dayOfWeek)
