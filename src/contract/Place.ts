/**
 * Where in a log one is, so that a rule only says what it judges.
 *
 * In:  events, lawful or not.      Out: `Place`: the open turn and step, moved by one event at a time.
 * Fails with: nothing. After a break the place is put where the log itself says it is, so that one fault stays one.
 * Not here: the session's own state machine (`session/SessionState.ts`), which this is checked against.
 */
import type { CoreEvent, SessionEvent } from "../event/SessionEvent.ts"

/** The types of the events that stand inside a step and name it. */
export const stepTypes = [
  "assistant/chunk",
  "usage",
  "assistant/message",
  "tool/call",
  "tool/result",
  "approval/asked",
  "step/end",
] as const

/** The types of the other events that name a turn, its start aside. */
export const turnTypes = ["turn/abort", "turn/end", "step/start", "error"] as const

export type InStep = Extract<CoreEvent, { readonly type: (typeof stepTypes)[number] }>

/** 0 stands for none everywhere. */
export interface Place {
  /** The open turn. */
  readonly turn: number
  /** The highest turn so far; every other one up to it is closed. */
  readonly latestTurn: number
  /** The open step. */
  readonly step: number
  /** The latest step of the open turn. */
  readonly latestStep: number
  /** How many steps the log has been in, of all turns: two events in one step have the same. */
  readonly stepsEntered: number
}

/** The place before the first event. */
export const nowhere: Place = { turn: 0, latestTurn: 0, step: 0, latestStep: 0, stepsEntered: 0 }

/** The place after an event. */
export const next = (place: Place, event: SessionEvent): Place => {
  if (event.type === "turn/start") {
    const { turn } = event.data
    const latestTurn = Math.max(turn, place.latestTurn)
    return { turn, latestTurn, step: 0, latestStep: 0, stepsEntered: place.stepsEntered }
  }
  if (turnOf(event) === 0 || namesClosedTurn(event, place)) return place
  switch (event.type) {
    case "turn/end":
      return place.turn === 0 ? place : leaveTurn(place)
    case "step/start":
      return enter(place, event.data.turn, event.data.step)
    case "step/end":
      return place.step === 0 ? place : leaveStep(place)
    case "assistant/chunk":
    case "assistant/message":
      return place.step === 0 && isNewStep(place, event.data)
        ? enter(place, place.turn, event.data.step)
        : place
    default:
      return place
  }
}

/** Places are written out, because a spread of what a spread made takes the engine's slow way. */
const leaveTurn = ({ latestTurn, stepsEntered }: Place): Place => ({
  turn: 0,
  latestTurn,
  step: 0,
  latestStep: 0,
  stepsEntered,
})

const leaveStep = ({ turn, latestTurn, latestStep, stepsEntered }: Place): Place => ({
  turn,
  latestTurn,
  step: 0,
  latestStep,
  stepsEntered,
})

/** A step whose start is missing was entered all the same. */
const isNewStep = (place: Place, named: { readonly turn: number; readonly step: number }): boolean =>
  named.turn === place.turn && named.step > place.latestStep

/** So was a turn whose start is missing. */
const enter = (place: Place, turn: number, step: number): Place => {
  const open = place.turn === 0 ? turn : place.turn
  const latestTurn = Math.max(open, place.latestTurn)
  return { turn: open, latestTurn, step, latestStep: step, stepsEntered: place.stepsEntered + 1 }
}

const standsInStep: ReadonlySet<string> = new Set(stepTypes)

/** Most events are chunks, and every rule asks this of them. */
export const isInStep = (event: SessionEvent): event is InStep =>
  event.type === "assistant/chunk" || standsInStep.has(event.type)

/** Tell whether an event stands in the open step. One that names a closed turn is a stray and does not. */
export const isHere = (event: SessionEvent, place: Place): event is InStep =>
  place.step > 0 && isInStep(event) && !namesClosedTurn(event, place)

/** Tell whether an event names a turn that is over. The start of a turn never does: that is a wrong count. */
export const namesClosedTurn = (event: SessionEvent, place: Place): boolean => {
  const turn = turnOf(event)
  return turn !== 0 && turn !== place.turn && turn <= place.latestTurn
}

/** The turn that an event inside a turn names. */
export const turnOf = (event: SessionEvent): number => {
  switch (event.type) {
    case "turn/abort":
    case "turn/end":
    case "step/start":
    case "error":
      return event.data.turn
    default:
      return isInStep(event) ? event.data.turn : 0
  }
}
