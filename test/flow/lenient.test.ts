/** Arguments are taken by policy: the body gets what was checked, model and log hear what was changed. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, tell } from "./world.ts"

const seen: Array<unknown> = []

const page = Tool.defineTool({
  name: "page",
  description: "Give a page.",
  parameters: {
    path: { type: "string", required: true },
    limit: { type: "integer" },
    open: { type: "boolean" },
  },
  run: (args) =>
    Effect.suspend(() => {
      seen.push(args)
      return args.path === "none" ? Effect.fail(new Error("no such page")) : Effect.succeed("the page")
    }),
})

const call = (id: string, text: string) => ({ id, name: "page", arguments: text })

describe("a tool that is lenient", () => {
  it.effect("takes what its policies permit; the log has the text, the changes and why", () =>
    tell(
      [
        {
          calls: [
            call("c1", `{"path":"a","limit":"10","open":null}`),
            call("c2", `{"path":"none","limit":"1"}`),
            call("c3", `{"path":"a","limit":"ten"}`),
          ],
        },
        { text: "done" },
      ],
      {
        tools: Toolbox.map(Toolbox.make(page), Tool.lenient(["number-from-text", "null-as-absent"])),
      },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          seen.length = 0
          yield* agent.prompt("page")
          expect(seen).toEqual([
            { path: "a", limit: 10 },
            { path: "none", limit: 1 },
          ])
          expect(all(session, "tool/call").map((event) => event.arguments)).toContain(
            `{"path":"a","limit":"10","open":null}`,
          )
          const results = new Map(all(session, "tool/result").map((event) => [event.callId, event]))
          expect(results.get("c1")?.repairs).toEqual([
            {
              policy: "number-from-text",
              path: ["limit"],
              before: "10",
              after: 10,
              why: 'limit: want integer, got string "10"',
            },
            {
              policy: "null-as-absent",
              path: ["open"],
              before: null,
              why: "open: want boolean (true or false without quotes), got null",
            },
          ])
          expect(results.get("c2")).toMatchObject({ outcome: "failed", repairs: [{ after: 1 }] })
          expect(results.get("c3")).toMatchObject({ outcome: "rejected" })
          expect(results.get("c3")?.repairs).toBeUndefined()
          const told = JSON.stringify(requests()[1]?.messages)
          expect(told).toContain("The arguments were changed before the call: limit: want integer")
        }),
    ),
  )
})

describe("a key that nothing reads", () => {
  it.effect("is told to the model when it looks like one that is declared", () =>
    tell(
      [
        { calls: [call("c1", `{"path":"a","limits":10}`), call("c2", `{"path":"a","colour":"red"}`)] },
        { text: "done" },
      ],
      { tools: Toolbox.make(page) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.prompt("page")
          const [first, second] = all(session, "tool/result")
          expect(first?.content).toEqual([
            { type: "text", text: "the page" },
            { type: "text", text: 'Note: Nothing read the unknown key limits: did you mean "limit"?' },
          ])
          expect(second?.content).toEqual([{ type: "text", text: "the page" }])
        }),
    ),
  )
})

describe("a policy", () => {
  it("that there is not is refused where it is named", () => {
    // @ts-expect-error no such policy
    expect(() => Tool.lenient(["coerce"])).toThrow('there is no policy "coerce"')
  })
})
