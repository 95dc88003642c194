import { Effect, type Schema } from "effect"
import { JsonSchema, Projection, StrictTools, Tool, Toolbox } from "effect-harness"

/** As it comes from an OpenAPI document, an MCP server, another framework. */
const parameters: Schema.JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    zone: { $ref: "#/definitions/Zone" },
    at: { type: "string", format: "date-time" },
    hours: { type: "integer", minimum: 1, maximum: 48 },
  },
  required: ["zone"],
  definitions: { Zone: { type: "string", enum: ["north", "south"] } },
}

const forecast = Tool.raw({
  name: "forecast",
  description: "Forecast the load of a zone.",
  parameters,
  validate: true,
  run: (args) => Effect.succeed(args), // yours really does
})

const told = await Effect.runPromise(
  Tool.run(forecast)(`{"zone":"North","hours":"12"}`).pipe(
    Effect.catchTag("ToolArgsInvalid", ({ message }) => Effect.succeed(message)),
  ),
)
console.log(told)

try {
  Tool.raw({
    name: "broken",
    description: "Broken.",
    parameters: { type: "object", properties: { where: { type: "dict" } } },
    validate: true,
    run: () => Effect.void,
  })
} catch (error) {
  console.log(String(error))
}

const read = JsonSchema.fromJsonSchema(parameters)
console.log(JSON.stringify(read.spec?.properties?.["zone"]))

const { unsupported } = JsonSchema.fromJsonSchema({
  type: "object",
  properties: { where: { type: "dict" } },
})
console.log(JSON.stringify(unsupported))

const tools = Toolbox.make(forecast)
const strict = StrictTools.project(tools, Projection.openAi)
console.log(JSON.stringify(strict.descriptions[0]?.parameters["required"]))

for (const { tool, losses } of StrictTools.report(tools, Projection.anthropic)) {
  for (const { path, what } of losses) console.log(`${tool}, ${path.join(".")}: ${what}`)
}
