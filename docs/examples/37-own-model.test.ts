import { describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { ModelConformance } from "effect-harness/testing"
import { type Line, make } from "./36-own-model.ts"

const saying = (...lines: ReadonlyArray<Line>) => make(async () => ReadableStream.from(lines))

const end: Line = { type: "end", tokensIn: 3, tokensOut: 4 }
const twoCalls = (one: string, other: string) =>
  saying(
    { type: "text", text: "Let me " },
    { type: "text", text: "look." },
    { type: "call", id: one, name: "search", arguments: '{"q": "a b"}' },
    { type: "call", id: other, name: "search", arguments: '{"q": "c"}' },
    end,
  )

/** Takes the request, says nothing, and notices when nobody listens any more. */
const silent = Effect.sync(() => {
  const asked = Deferred.makeUnsafe<void>()
  const aborted = Deferred.makeUnsafe<void>()
  const model = make(async (_request, signal) => {
    signal.addEventListener("abort", () => Deferred.doneUnsafe(aborted, Effect.void))
    Deferred.doneUnsafe(asked, Effect.void)
    return new ReadableStream()
  })
  return { model, asked: Deferred.await(asked), aborted: Deferred.await(aborted) }
})

describe("the model of lines", () => {
  const cases = ModelConformance.cases({
    speaking: Effect.sync(() => twoCalls("a", "b")),
    usage: { inputTokens: 3, outputTokens: 4 },
    silent,
    sameIds: Effect.sync(() => twoCalls("call_0", "call_0")),
    noIds: Effect.sync(() => twoCalls("", "")),
    brokenArguments: Effect.sync(() =>
      saying({ type: "call", id: "a", name: "search", arguments: '{"q": "a' }, end),
    ),
    refusing: Effect.sync(() => ({
      model: make(() => Promise.reject(new Error("no route"))),
      code: "MODEL_UNREACHABLE",
    })),
    erring: Effect.sync(() => ({
      model: saying({ type: "text", text: "Let me" }, { type: "error", text: "too many at once" }),
      code: "MODEL_OVERLOADED",
    })),
  })
  for (const { name, effect } of cases) it.effect(name, () => effect)
})
