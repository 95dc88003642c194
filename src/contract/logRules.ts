/**
 * The rules that keep a log readable: log.start, log.seq, log.version, log.lossless, log.epoch.
 */
import { Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import * as JsonCopy from "../event/JsonCopy.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { Broken, make } from "./Rule.ts"

export const misbegun = ({ type }: SessionEvent, started: boolean): string | undefined => {
  if (started !== (type === "session/start")) return undefined
  return started ? "session/start comes twice" : `the first event is ${type}`
}

export const logStart = make({
  id: "log.start",
  statement: "A log begins with session/start, at seq 0, and has no other.",
  mode: "A",
  hint: "Create the session with SessionLog.create, which writes it.",
  initial: false,
  step: (started, event) => {
    const wrong = misbegun(event, started)
    return wrong === undefined ? true : new Broken(true, [wrong])
  },
})

export const misnumbered = ({ seq }: SessionEvent, due: number): string =>
  `seq ${seq} stands where ${due} is due`

export const logSeq = make({
  id: "log.seq",
  statement: "Events are numbered 0, 1, 2 … without gaps.",
  mode: "A",
  hint: "Only the session numbers events; a gap means that part of the file is gone.",
  initial: 0,
  step: (expected, event) => {
    if (event.seq === expected) return expected + 1
    return new Broken(event.seq + 1, [misnumbered(event, expected)])
  },
})

export const logVersion = make({
  id: "log.version",
  statement: "Every core payload is one of the version that the log names; extension payloads may be opaque.",
  mode: "A",
  hint: "Write payloads as SessionEvent.payloads describes them, with no other keys.",
  initial: undefined,
  step: (state, event) => {
    const read = EventCodec.fromRow(event)
    if (Result.isSuccess(read) || ("rule" in read.failure && read.failure.rule !== "log.version"))
      return state
    return new Broken(state, [read.failure.message])
  },
})

export const logLossless = make({
  id: "log.lossless",
  statement: "Every payload comes back equal from its JSON.",
  mode: "A",
  hint: "Log plain JSON: no NaN, -0, undefined, dates, maps or class instances.",
  initial: undefined,
  step: (state, event) => {
    const copied = JsonCopy.make(event.data)
    return Result.isSuccess(copied) ? state : new Broken(state, [`${event.type}: ${copied.failure.message}`])
  },
})

export const logEpoch = make({
  id: "log.epoch",
  statement: "The epoch of every session/resume is higher than all before it.",
  mode: "A",
  hint: "Take the epoch of the lease, which only rises.",
  on: ["session/resume"],
  initial: 0,
  step: (epoch, event) => {
    if (event.data.epoch > epoch) return event.data.epoch
    return new Broken(epoch, [`epoch ${event.data.epoch} follows epoch ${epoch}`])
  },
})
