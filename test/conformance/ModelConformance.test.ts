/** The conformance of models finds what is wrong: each adapter here breaks one duty, and the case of that duty says so. */
import { it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Schedule, Stream } from "effect"
import { describe, expect } from "vitest"
import * as ModelConformance from "../../src/conformance/ModelConformance.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import type { Model } from "../../src/model/Model.ts"
import { ModelUnreachable } from "../../src/model/ModelError.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"

type Adapter = Model["Service"]
type Chunks = ReadonlyArray<ModelChunk>
type Situations = ModelConformance.Situations<never>

const scripted = (step: ScriptedModel.Step) =>
  ScriptedModel.make({ steps: Array.from({ length: 4 }, () => step) })
const saying = (step: ScriptedModel.Step) => Effect.sync(() => scripted(step).model)
const calling = (one: string, other: string): ScriptedModel.Step => ({
  text: "Let me look.",
  calls: [
    { id: one, name: "search", arguments: '{"q": "a b"}' },
    { id: other, name: "search", arguments: '{"q": "c"}' },
  ],
  usage: { inputTokens: 3, outputTokens: 4 },
})
const half = { calls: [{ id: "a", name: "search", arguments: '{"q": "a' }] }

const failing = (step: ScriptedModel.Step) =>
  Effect.sync(() => {
    const { model, requests } = scripted({
      ...step,
      error: { code: "MODEL_OVERLOADED", message: "try later" },
    })
    return { model, code: "MODEL_OVERLOADED" as const, requests: () => requests().length }
  })

/** Never ends; notices when nobody listens any more. */
const hanging = Effect.sync(() => {
  const asked = Deferred.makeUnsafe<void>()
  const aborted = Deferred.makeUnsafe<void>()
  const stream = () =>
    Stream.fromEffectDrain(
      Deferred.succeed(asked, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(aborted, undefined)),
      ),
    )
  const model: Adapter = { name: "hanging:test", stream }
  return { model, asked: Deferred.await(asked), aborted: Deferred.await(aborted) }
})

const sound: Situations = {
  speaking: saying(calling("a", "b")),
  usage: { inputTokens: 3, outputTokens: 4 },
  silent: hanging,
  sameIds: saying(calling("call_0", "call_0")),
  noIds: saying(calling("", "")),
  brokenArguments: saying(half),
  cut: saying({ ...half, cutOff: true }),
  refusing: failing({}),
  erring: failing({ text: "Let me" }),
}

/** The adapter in every situation, changed. */
const changed = (change: (model: Adapter) => Adapter): Situations => {
  const inside = <A extends { readonly model: Adapter }>(subject: A): A => ({
    ...subject,
    model: change(subject.model),
  })
  return {
    speaking: Effect.map(sound.speaking, change),
    ...(sound.usage && { usage: sound.usage }),
    silent: Effect.map(sound.silent, inside),
    ...(sound.sameIds && { sameIds: Effect.map(sound.sameIds, change) }),
    ...(sound.noIds && { noIds: Effect.map(sound.noIds, change) }),
    ...(sound.brokenArguments && { brokenArguments: Effect.map(sound.brokenArguments, change) }),
    ...(sound.cut && { cut: Effect.map(sound.cut, change) }),
    ...(sound.refusing && { refusing: Effect.map(sound.refusing, inside) }),
    ...(sound.erring && { erring: Effect.map(sound.erring, inside) }),
  }
}

const onStream = (change: (stream: ReturnType<Adapter["stream"]>) => ReturnType<Adapter["stream"]>) =>
  changed((model) => ({ ...model, stream: (request) => change(model.stream(request)) }))

const onChunk = (change: (chunk: ModelChunk) => Chunks) =>
  onStream((stream) => Stream.flatMap(stream, (chunk) => Stream.fromIterable(change(chunk))))

/** Whoever asks a second time gets the beginning only. */
const shared = () => {
  const places = new WeakMap<Adapter, Chunks>()
  return changed((model) => ({
    ...model,
    stream: (request) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const said = places.get(model)
          if (said !== undefined) return Stream.fromIterable(said.slice(0, 1))
          const chunks = yield* Stream.runCollect(model.stream(request))
          places.set(model, chunks)
          return Stream.fromIterable(chunks)
        }),
      ),
  }))
}

const finish: ModelChunk = { type: "finish", finish: { kind: "tool-calls" } }
const grammar = "keeps the grammar of chunks, and ends every block"
const inOrder = "tells its usage once, then one finish, then nothing"
const again = "answers again when its stream runs again, and twice at once"
const refused = "tells by its code a failure instead of an answer, and does not ask again"
const erred = "tells by its code a failure inside an answer, and does not ask again"

const joined = { id: "call_0", name: "search", arguments: '{"q": "a b"}{"q": "c"}' }

/** The far side never hears that the near side has gone. */
const deaf = (silent: ModelConformance.Silent): ModelConformance.Silent => {
  const stream: Adapter["stream"] = (request) =>
    Stream.fromEffectDrain(
      Effect.andThen(
        Effect.forkDetach(Effect.exit(Stream.runDrain(silent.model.stream(request)))),
        Effect.never,
      ),
    )
  return { ...silent, model: { ...silent.model, stream } }
}

/** What an adapter does wrong, and the case that says so. */
const faults: ReadonlyArray<readonly [what: string, situations: Situations, finds: string]> = [
  ["leaves the ends of blocks out", onChunk((chunk) => (chunk.type === "block-end" ? [] : [chunk])), grammar],
  [
    "gives two blocks one id",
    onChunk((chunk) => ["block" in chunk ? { ...chunk, block: "0" } : chunk]),
    grammar,
  ],
  [
    "speaks a delta twice",
    onChunk((chunk) => (chunk.type === "text-delta" ? [chunk, chunk] : [chunk])),
    grammar,
  ],
  [
    "tells its usage after the finish",
    onStream((stream) =>
      Stream.concat(
        Stream.filter(stream, ({ type }) => type !== "usage"),
        Stream.filter(stream, ({ type }) => type === "usage"),
      ),
    ),
    inOrder,
  ],
  ["tells its usage twice", onChunk((chunk) => (chunk.type === "usage" ? [chunk, chunk] : [chunk])), inOrder],
  ["tells no usage", onChunk((chunk) => (chunk.type === "usage" ? [] : [chunk])), inOrder],
  ["finishes twice", onChunk((chunk) => (chunk.type === "finish" ? [chunk, chunk] : [chunk])), inOrder],
  [
    "says that it stopped when it called tools",
    onChunk((chunk) => [chunk.type === "finish" ? { type: "finish", finish: { kind: "stop" } } : chunk]),
    inOrder,
  ],
  [
    "counts tokens in halves",
    onChunk((chunk) => [
      chunk.type === "usage" ? { type: "usage", usage: { inputTokens: 0.5, outputTokens: 1 } } : chunk,
    ]),
    "speaks chunks that the log can hold",
  ],
  [
    "adds fields of its own to chunks",
    onChunk((chunk) => [Object.assign({ raw: 1 }, chunk)]),
    "speaks chunks that the log can hold",
  ],
  [
    "gives chunks keys without values",
    onChunk((chunk) => [Object.assign({}, chunk, { meta: undefined })]),
    "speaks chunks that the log can hold",
  ],
  [
    "changes the names of tools",
    onChunk((chunk) => ["name" in chunk ? { ...chunk, name: chunk.name.toUpperCase() } : chunk]),
    "leaves the names of tools as they came",
  ],
  [
    "counts nothing",
    onChunk((chunk) => [
      chunk.type === "usage" ? { type: "usage", usage: { inputTokens: 0, outputTokens: 0 } } : chunk,
    ]),
    "tells the usage that the far side told",
  ],
  [
    "writes arguments anew",
    onChunk((chunk) => [
      chunk.type === "arguments-delta" ? { ...chunk, text: chunk.text.replaceAll(" ", "") } : chunk,
    ]),
    "leaves the text of arguments as it came",
  ],
  [
    "mends arguments",
    onChunk((chunk) => [
      chunk.type === "arguments-delta" ? { ...chunk, text: chunk.text.replace(/a$/, 'a"}') } : chunk,
    ]),
    "leaves the text of arguments as it came, also when it is no JSON",
  ],
  [
    "gives all calls one id",
    onChunk((chunk) => ["callId" in chunk ? { ...chunk, callId: "call" } : chunk]),
    "gives calls different ids",
  ],
  [
    "takes a second call with the same id for more of the first",
    { ...sound, sameIds: saying({ text: "Let me look.", calls: [joined] }) },
    "keeps calls apart that have the same id",
  ],
  [
    "leaves empty ids empty",
    {
      ...sound,
      noIds: Effect.map(saying(calling("a", "b")), (model) => ({
        ...model,
        stream: (request) =>
          Stream.map(model.stream(request), (chunk) =>
            "callId" in chunk ? { ...chunk, callId: "" } : chunk,
          ),
      })),
    },
    "makes ids for calls that have none",
  ],
  ["answers once and never again", shared(), again],
  [
    "cannot be interrupted",
    onStream((stream) => Stream.fromEffectDrain(Effect.uninterruptible(Stream.runDrain(stream)))),
    "stops when it is interrupted, and lets the far side know",
  ],
  [
    "goes on reading when nobody listens",
    { ...sound, silent: Effect.map(hanging, deaf) },
    "stops when it is interrupted, and lets the far side know",
  ],
  [
    "takes the end of a stream for a finish",
    { ...sound, cut: saying(half) },
    "finishes nothing of an answer that was cut off",
  ],
  [
    "ends a call that was cut off",
    onStream((stream) =>
      Stream.concat(stream, Stream.fromIterable([{ type: "block-end", block: "0" } as const])),
    ),
    "finishes nothing of an answer that was cut off",
  ],
  [
    "takes an error for the end of the answer",
    onStream((stream) => Stream.catch(stream, () => Stream.fromIterable([finish]))),
    erred,
  ],
  [
    "throws what it should fail with",
    onStream((stream) => Stream.catch(stream, (error) => Stream.die(error))),
    refused,
  ],
  [
    "calls every failure the same",
    onStream((stream) => Stream.mapError(stream, () => new ModelUnreachable({ message: "it failed" }))),
    refused,
  ],
  ["asks again by itself", onStream((stream) => Stream.retry(stream, Schedule.recurs(2))), refused],
  [
    "swallows what was said before a failure",
    onStream((stream) => Stream.unwrap(Effect.map(Stream.runCollect(stream), Stream.fromIterable))),
    erred,
  ],
]

const failuresOf = (situations: Situations) =>
  Effect.gen(function* () {
    const failed: Array<{ readonly name: string; readonly error: unknown }> = []
    for (const { name, effect } of ModelConformance.cases({ ...situations, abortWithin: "50 millis" })) {
      const exit = yield* Effect.exit(effect)
      if (Exit.isFailure(exit)) failed.push({ name, error: Cause.squash(exit.cause) })
    }
    return failed
  })

describe("the conformance of models", () => {
  it.effect("finds nothing in an adapter that keeps the port, also where a test clock stands still", () =>
    Effect.gen(function* () {
      expect(yield* failuresOf(sound)).toEqual([])
    }),
  )

  for (const [what, situations, finds] of faults) {
    it.effect(`finds an adapter that ${what}`, () =>
      Effect.gen(function* () {
        expect((yield* failuresOf(situations)).map(({ name }) => name)).toContain(finds)
      }),
    )
  }

  it("has a planted fault for each case", () => {
    const names = ModelConformance.cases(sound).map(({ name }) => name)
    expect(names.filter((name) => !faults.some(([, , finds]) => finds === name))).toEqual([])
  })

  it.effect("says what differs as test runners show it", () =>
    Effect.gen(function* () {
      const [broken] = yield* failuresOf({ ...sound, brokenArguments: saying({ calls: [joined] }) })
      expect(broken?.error).toMatchObject({
        name: "ConformanceError",
        message: expect.stringMatching(/^the arguments: expected \["\{\\"q\\": \\"a"\], found /),
        actual: ['{"q": "a b"}{"q": "c"}'],
        expected: ['{"q": "a'],
      })
    }),
  )

  it("says nothing of situations that are left out", () => {
    const { silent, speaking } = sound
    const all = ModelConformance.cases(sound).map(({ name }) => name)
    const some = ModelConformance.cases({ silent, speaking }).map(({ name }) => name)
    expect(some.length).toBe(8)
    expect(all.filter((name) => some.includes(name))).toEqual(some)
  })
})
