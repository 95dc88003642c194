import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { add, bodied, call, textOf } from "./fixtures.ts"

describe("a toolbox", () => {
  it("describes its tools in the order given", () => {
    const { descriptions } = Toolbox.make(bodied("b", Effect.void), add)
    expect(descriptions.map(({ name }) => name)).toEqual(["b", "add"])
    expect(descriptions[1]).toEqual({
      name: "add",
      description: "Add two numbers.",
      parameters: add.parameters,
      fingerprint: add.fingerprint,
    })
  })

  it("refuses two tools of one name, made or joined", () => {
    expect(() => Toolbox.make(add, add)).toThrow('Two tools are named "add"')
    expect(() => Toolbox.concat(Toolbox.make(add), Toolbox.make(add))).toThrow(TypeError)
  })

  it("joins with another, and with the empty one changes nothing", () => {
    const joined = Toolbox.concat(
      Toolbox.concat(Toolbox.empty, Toolbox.make(add)),
      Toolbox.make(bodied("b", Effect.void)),
    )
    expect([...joined.tools.keys()]).toEqual(["add", "b"])
  })

  it.effect("builds a layer once for all its tools, and keeps it as long as the scope", () =>
    Effect.gen(function* () {
      class Counter extends Context.Service<Counter, { readonly next: () => number }>()("Counter") {}
      const events: Array<string> = []
      const layer = Layer.effect(
        Counter,
        Effect.acquireRelease(
          Effect.sync(() => {
            events.push("open")
            let n = 0
            return { next: () => ++n }
          }),
          () => Effect.sync(() => void events.push("close")),
        ),
      )
      const count = Effect.map(Counter, ({ next }) => next())
      yield* Effect.scoped(
        Effect.gen(function* () {
          const box = yield* Toolbox.provide(Toolbox.make(bodied("one", count), bodied("two", count)), layer)
          const runner = yield* ToolRunner.make(box)
          const results = yield* Effect.forEach(["one", "two", "one"], (name) => runner.execute(call(name)))
          expect(results.map(textOf)).toEqual(["1", "2", "3"])
          expect(events).toEqual(["open"])
        }),
      )
      expect(events).toEqual(["open", "close"])
    }),
  )
})

describe("a name that no tool has", () => {
  it.effect("is answered with the nearest names and a list that stays short", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 40 }, (_, i) => bodied(`tool_${i}`, Effect.void))
      const runner = yield* ToolRunner.make(Toolbox.make(...many))
      const text = textOf(yield* runner.execute(call("tol_7")))
      expect(text).toContain('Did you mean "tool_7"')
      expect(text).toContain("and 10 more")
      const hostile = textOf(yield* runner.execute(call("x".repeat(10_000))))
      expect(hostile.length).toBeLessThan(600)
    }),
  )

  it.effect("is never one that objects inherit", () =>
    Effect.gen(function* () {
      const runner = yield* ToolRunner.make(Toolbox.make(add))
      for (const name of ["constructor", "__proto__", "toString"])
        expect((yield* runner.execute(call(name))).outcome).toBe("unknown-tool")
      const empty = yield* ToolRunner.make(Toolbox.empty)
      expect(textOf(yield* empty.execute(call("add")))).toContain("There are no tools.")
    }),
  )
})
