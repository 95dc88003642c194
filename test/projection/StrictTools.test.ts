import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Projection from "../../src/projection/Projection.ts"
import * as StrictTools from "../../src/projection/StrictTools.ts"
import { defineTool, raw } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"

const search = defineTool({
  name: "search",
  description: "Search.",
  parameters: { q: { type: "string", required: true }, limit: { type: "number" } },
  run: (args) => Effect.succeed(args),
})

const fetchAny = raw({
  name: "fetch",
  description: "Fetch.",
  parameters: { type: "object", properties: { headers: { type: "object" } } },
  run: (args) => Effect.succeed(args),
})

const box = StrictTools.project(Toolbox.make(search, fetchAny), Projection.openAi)
const call = (name: string, text: string) =>
  Effect.flatMap(ToolRunner.make(box), (runner) => runner.execute({ callId: "c1", name, arguments: text }))

describe("a toolbox for strict mode", () => {
  it("keeps the schema that marks secrets beside one that cannot, through map and a second projection", () => {
    const login = defineTool({
      name: "login",
      description: "Log in.",
      parameters: { token: { type: "string", sensitive: true } },
      run: () => Effect.void,
    })
    const once = StrictTools.project(Toolbox.make(login, search), Projection.openAi)
    const twice = StrictTools.project(
      Toolbox.map(once, (tool) => tool),
      Projection.anthropic,
    )
    for (const { descriptions } of [once, twice]) {
      expect(JSON.stringify(descriptions[0]?.parameters)).not.toContain("writeOnly")
      expect(descriptions[0]?.sensitive).toEqual(login.parameters)
      expect(descriptions[1]).not.toHaveProperty("sensitive")
    }
  })

  it.effect("takes null for an absent key, because its schema asks for it", () =>
    Effect.gen(function* () {
      expect(box.descriptions[0]?.parameters).toMatchObject({
        properties: { limit: { type: ["number", "null"] } },
        required: ["q", "limit"],
      })
      const result = yield* call("search", `{"q":"cats","limit":null}`)
      expect(result).toMatchObject({ outcome: "success", structured: { q: "cats" } })
      expect(JSON.stringify(result.content)).not.toContain("limit")
    }),
  )

  it.effect("notes every null that it took away, and does not bother the model with it", () =>
    Effect.gen(function* () {
      const result = yield* call("search", `{"q":"a","limit":null}`)
      expect(result.repairs).toEqual([
        {
          policy: "null-as-absent",
          path: ["limit"],
          before: null,
          why: expect.stringContaining("strict mode"),
        },
      ])
      const plain = yield* call("search", `{"q":"a"}`)
      expect(plain).not.toHaveProperty("repairs")
      expect(result.content).toEqual(plain.content)
    }),
  )

  it.effect("still checks against the original, and refuses null where a value is required", () =>
    Effect.gen(function* () {
      const result = yield* call("search", `{"q":null,"limit":null}`)
      expect(result).toMatchObject({ outcome: "rejected", violations: [{ path: ["q"] }] })
    }),
  )

  it.effect("tells a fault of the text by its position in what the model wrote", () =>
    Effect.gen(function* () {
      const result = yield* call("search", `{"limit":null,"q":}`)
      expect(JSON.stringify(result.content)).toContain("position 18")
    }),
  )

  it("leaves a tool alone whose schema cannot fit, and says why", () => {
    expect(box.descriptions[1]).toMatchObject({
      parameters: fetchAny.parameters,
      fingerprint: fetchAny.fingerprint,
    })
    expect(StrictTools.report(Toolbox.make(search, fetchAny), Projection.openAi)).toEqual([
      { tool: "search", isStrict: true, losses: [] },
      {
        tool: "fetch",
        isStrict: false,
        losses: [
          {
            path: ["properties", "headers", "additionalProperties"],
            keyword: "additionalProperties",
            what: "an object of any keys; strict mode wants them named",
            isBar: true,
          },
        ],
      },
    ])
  })

  it("has the fingerprint of the schema that the model reads", () => {
    expect(box.descriptions[0]?.fingerprint).not.toBe(search.fingerprint)
    expect(box.tools.get("search")?.fingerprint).toBe(box.descriptions[0]?.fingerprint)
  })
})
