/** What programs without types get wrong is told where they write it, never to a model. */
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { describe, expect } from "vitest"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { add, bodied } from "./fixtures.ts"

const good = { name: "t", description: "", parameters: {}, run: () => Effect.void }

/** As JavaScript calls it. */
const define = (given: unknown, by: "defineTool" | "raw" = "defineTool"): unknown =>
  Reflect.apply(by === "raw" ? Tool.raw : Tool.defineTool, undefined, [given])

const definitions: ReadonlyArray<readonly [string, unknown, string]> = [
  ...["", "my tool!", "a.b", "naïve", "x".repeat(65), "a\n"].map(
    (name) => [`the name ${JSON.stringify(name)}`, { ...good, name }, "1 to 64 letters"] as const,
  ),
  ["no name", { ...good, name: undefined }, "The name of a tool is undefined"],
  ["no description", { ...good, description: undefined }, "`description` must be a text"],
  ["no parameters", { ...good, parameters: undefined }, "`parameters` must be an object"],
  ["a list of parameters", { ...good, parameters: [] }, "got an array"],
  ["a text as parameters", { ...good, parameters: "{}" }, "`parameters` must be an object"],
  ["no body", { ...good, run: undefined }, "`run` must be a function"],
  ["an Effect as body", { ...good, run: Effect.void }, "`run` must be a function"],
  ["nothing", undefined, "A tool is defined by an object"],
]

describe("a definition", () => {
  it.each(definitions)("with %s is refused", (_, given, says) => {
    for (const by of ["defineTool", "raw"] as const) {
      expect(() => define(given, by)).toThrow(TypeError)
      expect(() => define(given, by)).toThrow(says)
    }
  })

  it.each(["t", "T_1-b", "x".repeat(64)])("with the name %s is taken", (name) => {
    expect(Tool.defineTool({ ...good, name }).name).toBe(name)
  })

  it("with a schema that is a class is taken", () => {
    class Place extends Schema.Class<Place>("Place")({ city: Schema.String }) {}
    expect(Tool.defineTool({ ...good, parameters: Place }).parameters["type"]).toBe("object")
  })
})

describe("a toolbox", () => {
  it.each([
    ["an array of tools", [[add]], "got an array"],
    ["nothing", [undefined], "got undefined"],
    ["a definition", [good], "got an object"],
    ["a tool that was given a wrong name", [{ ...add, name: "my tool" }], '"my tool"'],
  ])("of %s is refused", (_, given, says) => {
    const make = (): unknown => Reflect.apply(Toolbox.make, undefined, given)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(says)
  })
})

describe("Tool.run", () => {
  it.effect.each([{ a: 1 }, [], 7, null, undefined])("dies of arguments that are no text: %j", (given) =>
    Effect.gen(function* () {
      const run: () => Effect.Effect<unknown, unknown> = () =>
        Reflect.apply(Tool.run(add), undefined, [given])
      const exit = yield* Effect.exit(run())
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      expect(defect).toBeInstanceOf(TypeError)
      expect(String(defect)).toContain("Tool.run of add takes the text that a model wrote")
    }),
  )
})

describe("a retry", () => {
  it.each(["", " ", "not found", "404", 404])("for %j is refused, which no error is called by", (name) => {
    const make = (): unknown => Reflect.apply(Tool.retry, undefined, [{ while: ["EBUSY", name] }])
    expect(make).toThrow(TypeError)
    expect(make).toThrow("neither a tag nor a code")
  })

  it("takes tags, codes and the names of foreign errors", () => {
    expect(bodied("t", Effect.void).pipe(Tool.retry({ while: ["EBUSY"] })).name).toBe("t")
    expect(Tool.retry({ while: ["NotFound", "AbortError", "effect/http/Broken"] })).toBeTypeOf("function")
  })
})
