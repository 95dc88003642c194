/** A model adapter without types gives and throws what it likes: each time the step fails, and the agent goes on. */
import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import { handmade, say, tell, textBlock } from "./world.ts"

type Answer = () => Stream.Stream<ModelChunk, ModelError>

const given = (...chunks: ReadonlyArray<unknown>): Answer => (() => Stream.fromIterable(chunks)) as Answer

const thrown =
  (defect: unknown): Answer =>
  () => {
    throw defect
  }

const failed = (error: unknown): Answer => (() => Stream.fail(error)) as Answer

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const start = { type: "block-start", block: "0", kind: "text" }

const answers: Record<string, Answer> = {
  "no chunk: null": given(null),
  "no chunk: undefined": given(undefined),
  "a finish without a finish": given(...textBlock("0", "x"), { type: "finish" }),
  "a delta whose text is a symbol": given(start, { type: "text-delta", block: "0", text: Symbol("x") }),
  "a meta that throws": given(start, {
    type: "block-end",
    block: "0",
    get meta() {
      throw new Error("no")
    },
  }),
  "a thrown object without a prototype": thrown(Object.create(null)),
  "a thrown revoked proxy": thrown(revoked()),
  "a thrown error whose message is a symbol": thrown(Object.assign(new Error("x"), { message: Symbol("x") })),
  "a failure that is a text": failed("plain"),
  "a failure that is undefined": failed(undefined),
  "a failure with a stranger's tag": failed({ _tag: "Foo", retry: "later" }),
  "a step that is no Effect": () =>
    Stream.fromEffect(Effect.flatMap(Effect.yieldNow, () => JSON.parse("null"))),
}

describe("an adapter that breaks its port", () => {
  for (const [name, answer] of Object.entries(answers)) {
    it.effect(`fails the turn with a code, and the next turn runs: ${name}`, () =>
      tell(
        handmade(answer, () => say("fine again")),
        { modelRetries: 0 },
        ({ agent }) =>
          Effect.gen(function* () {
            const { reason, error, steps } = yield* agent.prompt("go")
            expect(reason).toMatchObject({ kind: "failed", code: "MODEL_DEFECT" })
            expect(error?._tag).toBe("ModelDefect")
            expect(steps).toBe(1)
            expect((yield* agent.prompt("again")).text).toBe("fine again")
          }),
      ),
    )
  }
})
