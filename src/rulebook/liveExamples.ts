/**
 * An example for every rule that needs the running process.
 *
 * Not here: the rules over stored logs (`logExamples.ts`).
 */
import { Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Observation } from "../invariant/Observation.ts"
import * as History from "../session/History.ts"
import type { Example } from "./Example.ts"
import * as tell from "./tell.ts"

/** As the session makes them. */
const frozen = (event: SessionEvent): SessionEvent => Result.getOrThrow(EventCodec.fromRow(event))

const loggedAs = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<Observation> => {
  let history = History.initial
  return events.map((event) => {
    history = History.next(history, event)
    return { kind: "logged", event, history }
  })
}

const logged = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<Observation> =>
  loggedAs(events.map(frozen))

const opened: Observation = { kind: "opened" }
const status = (from: "idle" | "running", to: "idle" | "running" | "disposed"): Observation => ({
  kind: "status",
  from,
  to,
})
const told = (seq: number): Observation => ({
  kind: "acknowledged",
  told: "synced",
  seq,
  writtenSeq: 1,
  syncedSeq: 0,
})

const asked = tell.inTurn(tell.step(1))
const request = (events: ReadonlyArray<SessionEvent>): Observation => ({
  kind: "request",
  messages: History.deriveMessages(events),
})

const prompt = tell.log(tell.start, tell.prompt("m1"))

export const liveExamples: { readonly [rule: string]: Example<Observation> } = {
  "log.frozen": {
    what: "the prompt can still be changed after it is logged",
    lawful: logged(prompt),
    unlawful: loggedAs([...prompt.slice(0, 1).map(frozen), ...prompt.slice(1)]),
  },
  "status.moves": {
    what: "an idle session becomes idle",
    lawful: [opened, status("idle", "disposed")],
    unlawful: [opened, status("idle", "idle")],
  },
  "status.matches": {
    what: "the session is told to run, and no turn is open",
    lawful: [opened, ...logged(tell.inTurn()), status("idle", "running")],
    unlawful: [opened, status("idle", "running")],
  },
  "store.ackDurable": {
    what: "seq 1 is told as synced, and only seq 0 is",
    lawful: [...logged(prompt), opened, told(0)],
    unlawful: [...logged(prompt), opened, told(1)],
  },
  "history.request": {
    what: "the request leaves the prompt out",
    lawful: [...logged(asked), opened, request(asked)],
    unlawful: [...logged(asked), opened, { kind: "request", messages: [] }],
  },
}
