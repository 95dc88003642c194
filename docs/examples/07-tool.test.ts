import { Effect, Schema } from "effect"
import { defineTool, HarnessError, Tool } from "effect-harness"
import { describe, expect, it } from "vitest"

class CityUnknown extends HarnessError.extend<CityUnknown>("CityUnknown")({
  _tag: Schema.tag("CityUnknown"),
  city: Schema.String,
}) {
  readonly code = "CITY_UNKNOWN"
  readonly retry = "now"
}

const forecast = defineTool({
  name: "forecast",
  description: "The weather of a city tomorrow.",
  parameters: { city: { type: "string", required: true } },
  run: ({ city }) =>
    city === "Atlantis"
      ? Effect.fail(new CityUnknown({ city, message: `Nobody knows where ${city} is.` }))
      : Effect.succeed(`${city}: sunny`),
})

const call = (args: string) => Tool.run(forecast)(args)

describe("forecast", () => {
  it("tells the weather", async () => {
    expect(await Effect.runPromise(call('{"city":"Oslo"}'))).toBe("Oslo: sunny")
  })

  it("tells a city that is not there by tag and code", async () => {
    const error = await Effect.runPromise(Effect.flip(call('{"city":"Atlantis"}')))
    expect(error).toMatchObject({ _tag: "CityUnknown", code: "CITY_UNKNOWN", city: "Atlantis" })
  })

  it("refuses a misspelt key and names the right one", async () => {
    const error = await Effect.runPromise(Effect.flip(call('{"town":"Oslo","ctiy":"Oslo"}')))
    expect(error._tag).toBe("ToolArgsInvalid")
    expect(error.message).toContain('did you mean "city"?')
  })
})
