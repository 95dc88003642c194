/**
 * Numbered events with everything that rows can be, made of a seed.
 *
 * In:  a seed, and how many.      Out: the same events each time; and the numbers and names that tests draw.
 */
import { Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import { type CoreType, payloads, type SessionEvent } from "../event/SessionEvent.ts"
import { payloadsOf } from "./makePayloads.ts"

/** Numbers between 0 and 1 (mulberry32). */
export type Random = () => number

export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from 0 up to `below`. */
export const pick = (random: Random, below: number): number => Math.floor(random() * below)

/** Names that no other case has drawn, also not in an earlier run over the same database. */
export const drawIds = (): ((word: string) => string) => {
  const run = globalThis.crypto.randomUUID().slice(0, 8)
  return (word) => `${run}-${word}`
}

/** Texts at which writing down or reading back has failed somewhere. */
export const oddTexts: ReadonlyArray<string> = [
  "line\u2028separator and paragraph\u2029separator",
  "next line \u0085, vertical tab \v, form feed \f, CR \r, LF \n, CRLF \r\n",
  "NUL \u0000 and other controls \u0001\u001f\u007f",
  "\ufeffa byte order mark at the beginning",
  "a lone \ud800 high and a lone \udc00 low surrogate, and \ud83d\ude00 a whole pair",
  "e\u0301 is not \u00e9",
  "quotes \" ' `, backslashes \\ \\n \\u2028, and $1 {} [] %s ;--",
  "\u05e9\u05dc\u05d5\u05dd \u4f60\u597d \u202eright to left",
  "",
]

/** Units: epoch milliseconds. */
const now = 1_700_000_000_000

const event = (seq: number, type: string, data: unknown, v?: number, at = now + seq): SessionEvent =>
  Result.getOrThrow(EventCodec.fromRow({ seq, at, type, ...(v !== undefined && { v }), data }))

export const said = (seq: number, text: string, at?: number): SessionEvent => {
  const data = { messageId: `m${seq}`, content: [{ type: "text", text }], source: "user" }
  return event(seq, "user/message", data, undefined, at)
}

export const chunk = (seq: number, step: number, text: string): SessionEvent =>
  event(seq, "assistant/chunk", { turn: 1, step, chunk: { type: "text-delta", block: "b1", text } })

/** An event that an extension logged; of a type that nobody here has registered. */
export const extension = (seq: number, data: unknown, v?: number): SessionEvent =>
  event(seq, "acme:note", data, v)

/** What an extension may have logged, in texts of JSON: keys of all kinds, in an order that is theirs. */
export const oddPayloads: ReadonlyArray<unknown> = [
  '{"z":1,"a":{"10":true,"b":null,"2":false},"":[[],{}]}',
  '{"number":[0,1e21,5e-324,0.1,9007199254740991,-1.5]}',
  '"a text alone"',
  "null",
  "[1,[2,[3,[4]]]]",
].map((text): unknown => JSON.parse(text))

/** Make `count` events from seq 0 on. The first one begins a session. */
export const makeEvents = (seed: number, count: number): ReadonlyArray<SessionEvent> => {
  const random = randomOf(seed)
  let step = 1
  const next = (seq: number): SessionEvent => {
    const text = oddTexts[pick(random, oddTexts.length)] ?? ""
    const kind = random()
    if (kind < 0.5) return chunk(seq, step, text)
    if (kind < 0.6) return event(seq, "step/end", { turn: 1, step: step++ })
    if (kind < 0.8) return said(seq, text)
    return extension(seq, oddPayloads[pick(random, oddPayloads.length)], kind < 0.9 ? undefined : 7)
  }
  return Array.from({ length: count }, (_, seq) =>
    seq === 0 ? event(0, "session/start", { version: 1, id: "s", createdAt: 0 }) : next(seq),
  )
}

const coreTypes = Object.keys(payloads).filter((type): type is CoreType => Object.hasOwn(payloads, type))

/** Clocks may stand anywhere. */
const times = [now, 0, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]

/** Longer than what a medium keeps in one piece. */
const long = "\u{1f600} and \u0000 ".repeat(30_000)
const inStep = { turn: 1, step: 1 }
const longOnes: ReadonlyArray<{ readonly type: CoreType; readonly data: unknown }> = [
  {
    type: "assistant/message",
    data: { ...inStep, content: [{ type: "text", text: long }], finish: { kind: "stop" } },
  },
  { type: "tool/call", data: { ...inStep, callId: "c", name: "long", arguments: JSON.stringify({ long }) } },
  {
    type: "tool/result",
    data: {
      ...inStep,
      callId: "c",
      outcome: "success",
      isError: false,
      content: [{ type: "text", text: long }],
    },
  },
]

/** Logs that together hold every type of event, with all that it can hold. Each begins a session in its own way. */
export const makeOfEveryType = (): ReadonlyArray<ReadonlyArray<SessionEvent>> => {
  const others = coreTypes
    .filter((type) => type !== "session/start")
    .flatMap((type) => payloadsOf(type).map((data) => ({ type, data })))
  const numbered = [...others, ...longOnes].map(({ type, data }, n) =>
    event(n + 1, type, data, undefined, times[n % times.length]),
  )
  return payloadsOf("session/start").map((data, n) => [
    event(0, "session/start", data),
    ...(n === 0 ? numbered : []),
  ])
}
