/**
 * What an answer that goes well owes: its grammar, its usage, its calls.
 *
 * Not here: answers that do not go well (`endCases.ts`).
 */
import { Effect, Result, Schema } from "effect"
import * as JsonCopy from "../event/JsonCopy.ts"
import * as Assembler from "../message/Assembler.ts"
import { BlockChunk, Finish, Usage } from "../message/ModelChunk.ts"
import { ask, askWell, callsOf, type ModelDuty } from "./askModel.ts"
import { expectSame, expectThat } from "./expectSame.ts"
import type { Situations } from "./situations.ts"

type Spoken = ReadonlyArray<Effect.Success<ReturnType<typeof askWell>>[number]>

const answers = (
  name: string,
  situation: Situations<unknown>["sameIds"],
  check: (chunks: Spoken) => void,
): ReadonlyArray<ModelDuty> =>
  situation === undefined ? [] : [{ name, check: Effect.map(Effect.flatMap(situation, askWell), check) }]

const rawArguments = ['{"q": "a b"}', '{"q": "c"}']

const keepsGrammar = (chunks: Spoken): void => {
  const { content, fault, open } = Assembler.fold(chunks)
  expectSame("the fault of the chunks", fault, undefined)
  expectSame("blocks without an end", open, [])
  expectSame(
    "the blocks",
    content.filter(({ type }) => type !== "reasoning").map(({ type }) => type),
    ["text", "tool-call", "tool-call"],
  )
  const said = content.flatMap((block) => (block.type === "text" ? [block.text] : []))
  expectSame("the text", said, ["Let me look."])
}

const fits = (shape: Schema.Codec<unknown, unknown>) => (value: unknown) =>
  Result.isSuccess(Schema.decodeUnknownResult(shape, { onExcessProperty: "error" })(value))

const isBlock = fits(BlockChunk)
const isEnd = {
  usage: fits(Schema.Struct({ type: Schema.Literal("usage"), usage: Usage })),
  finish: fits(Schema.Struct({ type: Schema.Literal("finish"), finish: Finish })),
}

/** As JSON every chunk is still itself, and nothing is in it that the log would refuse: no key without a value either. */
const fitsTheLog = (chunks: Spoken): void => {
  for (const chunk of chunks) {
    const { type } = chunk
    const isFit = type === "usage" || type === "finish" ? isEnd[type] : isBlock
    const copy = JsonCopy.make(chunk)
    expectThat("a chunk that the log can hold", Result.isSuccess(copy) && isFit(copy.success), chunk)
  }
}

const endsInOrder = (chunks: Spoken): void => {
  const types = chunks.map(({ type }) => type)
  expectSame("the last two chunks", types.slice(-2), ["usage", "finish"])
  const ends = types.filter((type) => type === "usage" || type === "finish")
  expectSame("usages and finishes", ends, ["usage", "finish"])
  expectSame("the finish", chunks.at(-1), { type: "finish", finish: { kind: "tool-calls" } })
}

const keepsArguments = (chunks: Spoken): void =>
  expectSame(
    "the arguments",
    callsOf(chunks).map((call) => call.arguments),
    rawArguments,
  )

const keepsNames = (chunks: Spoken): void =>
  expectSame(
    "the names",
    callsOf(chunks).map(({ name }) => name),
    ["search", "search"],
  )

/** By its parts: the order in which an adapter writes them is its own. */
const tellsUsage =
  (owed: Usage) =>
  (chunks: Spoken): void => {
    const told = chunks.flatMap((chunk) => (chunk.type === "usage" ? [chunk.usage] : []))
    expectSame("the usage", told.map(sorted), [sorted(owed)])
  }

const sorted = (usage: Usage) =>
  Object.fromEntries(Object.entries(usage).sort(([left], [right]) => (left < right ? -1 : 1)))

const namesCalls = (chunks: Spoken): void => {
  const ids = callsOf(chunks).map(({ callId }) => callId)
  expectThat(
    "two ids that differ, none of them empty",
    new Set(ids.filter((id) => id !== "")).size === 2,
    ids,
  )
}

const keepsCallsApart = (chunks: Spoken): void => {
  keepsArguments(chunks)
  keepsNames(chunks)
  const calls = callsOf(chunks)
  expectThat(
    "ids that are not empty",
    calls.every(({ callId }) => callId !== ""),
    calls,
  )
}

export const answerCases = ({
  brokenArguments,
  noIds,
  sameIds,
  speaking,
  usage,
}: Situations<unknown>): ReadonlyArray<ModelDuty> => [
  ...answers("keeps the grammar of chunks, and ends every block", speaking, keepsGrammar),
  ...answers("speaks chunks that the log can hold", speaking, fitsTheLog),
  ...answers("tells its usage once, then one finish, then nothing", speaking, endsInOrder),
  ...answers("leaves the text of arguments as it came", speaking, keepsArguments),
  ...answers("leaves the names of tools as they came", speaking, keepsNames),
  ...(usage === undefined
    ? []
    : answers("tells the usage that the far side told", speaking, tellsUsage(usage))),
  ...answers("gives calls different ids", speaking, namesCalls),
  ...answers("keeps calls apart that have the same id", sameIds, keepsCallsApart),
  ...answers("makes ids for calls that have none", noIds, (chunks) => {
    keepsCallsApart(chunks)
    namesCalls(chunks)
  }),
  ...answers("leaves the text of arguments as it came, also when it is no JSON", brokenArguments, (chunks) =>
    expectSame(
      "the arguments",
      callsOf(chunks).map((call) => call.arguments),
      ['{"q": "a'],
    ),
  ),
  {
    name: "answers again when its stream runs again, and twice at once",
    check: Effect.gen(function* () {
      const model = yield* speaking
      for (const { chunks } of [
        yield* ask(model),
        ...(yield* Effect.all([ask(model), ask(model)], { concurrency: "unbounded" })),
      ]) {
        keepsGrammar(chunks)
        expectSame("the last chunk", chunks.at(-1)?.type, "finish")
      }
    }),
  },
]
