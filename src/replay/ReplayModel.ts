/**
 * A model that gives the answers that a log holds: each request gets what the same request got before.
 *
 * In:  an ordinary log.      Out: the `Model` port. The same request again gets the next answer to it, then the last one.
 * A request for a summary gets the one that the log has of the same messages.
 * Fails with: the recorded `ModelError`; `ModelRefused` for a request that the log does not hold, with the nearest one
 * that it does and the first place in which the two differ.
 * Not here: comparing a log with itself (`Replay.ts`). Of a transcript that was too long for the model, and was read in
 * halves, the log has the whole summary only: it answers the first request.
 */
import { Layer, Result, type Schema, Stream } from "effect"
import * as JsonCopy from "../event/JsonCopy.ts"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import * as Digest from "../message/Digest.ts"
import type { Message } from "../message/Message.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"
import { Model, type ModelRequest } from "../model/Model.ts"
import { type ModelError, ModelRefused } from "../model/ModelError.ts"
import { deriveMessages } from "../session/History.ts"
import { digesterOf } from "../turn/Voice.ts"
import { answerSummary } from "./answerSummary.ts"
import { differ, toText } from "./differ.ts"
import { type Recorded, recordedIn } from "./Recorded.ts"

type Config = Payload<"request/config">

/** Make a model of a log; its name is the one that the log's first requests were made with. */
export const make = (log: ReadonlyArray<SessionEvent>): Model["Service"] => {
  const recorded = recordedIn(log)
  const models = [...new Set(recorded.map(({ config }) => config.model))]
  const answers = new Map<string, Array<Recorded>>()
  for (const one of recorded) answers.set(one.digest, [...(answers.get(one.digest) ?? []), one])
  const summary = answerSummary(log)
  const find = (request: ModelRequest): Recorded | undefined => {
    for (const model of models) {
      const queue = answers.get(digesterOf(toConfig(model, request))(request.messages))
      const answer = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0]
      if (answer !== undefined) return answer
    }
    return undefined
  }
  return {
    name: models[0] ?? "replay:empty",
    stream: (request) =>
      Stream.suspend(() => {
        const summed = summary(request)
        if (summed !== undefined) return Stream.fromIterable<ModelChunk>(summed)
        const answer = find(request)
        return answer === undefined ? Stream.fail(missed(log, recorded, request)) : speak(answer)
      }),
  }
}

export const layer = (log: ReadonlyArray<SessionEvent>): Layer.Layer<Model> =>
  Layer.sync(Model, () => make(log))

const speak = ({ chunks, usage, end }: Recorded): Stream.Stream<ModelChunk, ModelError> => {
  const said = Stream.fromIterable<ModelChunk>(chunks)
  if ("error" in end) return Stream.concat(said, Stream.fail(end.error))
  return Stream.concat(
    said,
    Stream.fromIterable<ModelChunk>([
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
      { type: "finish", finish: end.finish },
    ]),
  )
}

/** A request as the log would have written its config. */
const toConfig = (model: string, { system, tools, toolChoice, sampling }: ModelRequest): Config => ({
  model,
  ...(system !== undefined && { system }),
  parameters: toJson({ ...sampling, toolChoice }),
  tools: tools.map(({ name, description, parameters: given }) => {
    const parameters = toJson(given)
    return { name, description, parameters, fingerprint: Digest.ofSchema(parameters) }
  }),
})

const toJson = (value: object): { readonly [key: string]: Schema.Json } => {
  const copied = JsonCopy.make(value)
  return Result.isSuccess(copied) && isRecord(copied.success) ? copied.success : {}
}

const isRecord = (value: Schema.Json): value is { readonly [key: string]: Schema.Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Near {
  readonly one: Recorded
  readonly messages: ReadonlyArray<Message>
  /** Messages from the first that are the same. */
  readonly same: number
}

const missed = (
  log: ReadonlyArray<SessionEvent>,
  recorded: ReadonlyArray<Recorded>,
  request: ModelRequest,
): ModelRefused => {
  const nearest = recorded
    .map((one) => compare(log, one, request))
    .reduce<Near | undefined>(
      (best, near) =>
        best !== undefined && distance(best, request) <= distance(near, request) ? best : near,
      undefined,
    )
  const why = nearest === undefined ? "it holds none" : describe(nearest, request)
  return new ModelRefused({ message: `the log holds no answer to this request: ${why}` })
}

const compare = (log: ReadonlyArray<SessionEvent>, one: Recorded, request: ModelRequest): Near => {
  const messages = deriveMessages(log.slice(0, one.seq + 1))
  const differs = request.messages.findIndex((message, at) => differ(messages[at], message) !== undefined)
  return { one, messages, same: differs < 0 ? request.messages.length : differs }
}

/** Messages that would have to change. */
const distance = ({ messages, same }: Near, request: ModelRequest): number =>
  Math.max(messages.length, request.messages.length) - same

const describe = ({ one, messages, same }: Near, request: ModelRequest): string => {
  const where = `the nearest is step ${one.step} of turn ${one.turn} (seq ${one.seq})`
  const config = differ(one.config, toConfig(one.config.model, request))
  const settings = config === undefined ? [] : [toText(config)]
  return `${where}; ${[...settings, ...messageFault(messages, same, request)].join("; ")}`
}

const messageFault = (
  messages: ReadonlyArray<Message>,
  same: number,
  request: ModelRequest,
): ReadonlyArray<string> => {
  const found = request.messages[same]
  const expected = messages[same]
  if (found !== undefined && expected !== undefined) {
    const difference = differ(expected, found)
    return difference === undefined ? [] : [`message ${same} (${found.role}): ${toText(difference)}`]
  }
  if (found === expected) return []
  const [there, here] = [messages.length, request.messages.length]
  return [`the request has ${here} messages, the recorded one ${there}; the first ${same} are the same`]
}
