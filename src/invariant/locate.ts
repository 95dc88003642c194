/**
 * Know where in a log one is, so that a rule only says what it judges.
 *
 * In:  events, lawful or not.      Out: `Place`, the open turn and step; `placed` and `inStep`, rules that are told their place.
 * Fails with: nothing. After a break the place is put where the log itself says it is, so that one fault stays one.
 * Not here: the session's own state machine (`session/SessionState.ts`), which this is checked against.
 */
import { Broken, make, type Rule } from "../contract/Rule.ts"
import type { CoreEvent, SessionEvent } from "../event/SessionEvent.ts"

/** The events that stand inside a step and name it. */
export type InStep = Extract<
  CoreEvent,
  {
    readonly type:
      | "assistant/chunk"
      | "usage"
      | "assistant/message"
      | "tool/call"
      | "tool/result"
      | "approval/asked"
      | "step/end"
  }
>

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
}

const nowhere: Place = { turn: 0, latestTurn: 0, step: 0, latestStep: 0 }

/** Make a rule marked D whose `judge` is also told the place before the event. */
export const placed = <S>(definition: {
  readonly id: string
  readonly statement: string
  readonly hint: string
  readonly initial: S
  readonly judge: (own: S, event: SessionEvent, place: Place) => S | Broken<S>
}): Rule =>
  make<Placed<S>>({
    id: definition.id,
    statement: definition.statement,
    mode: "D",
    hint: definition.hint,
    initial: { own: definition.initial, place: nowhere, said: "" },
    step: (state, event) => {
      const judged = definition.judge(state.own, event, state.place)
      const place = move(state.place, event)
      if (!(judged instanceof Broken)) {
        const same = judged === state.own && place === state.place
        return same ? state : { own: judged, place, said: state.said }
      }
      if (event.type !== "assistant/chunk")
        return new Broken({ ...state, own: judged.state, place }, judged.messages)
      const said = judged.messages.join("\n")
      return new Broken({ own: judged.state, place, said }, said === state.said ? [] : judged.messages)
    },
  })

/** Make a rule that needs nothing but the place: say what is wrong, or nothing. */
export const placedOnly = (definition: {
  readonly id: string
  readonly statement: string
  readonly hint: string
  readonly judge: (event: SessionEvent, place: Place) => string | undefined
}): Rule =>
  placed<undefined>({
    ...definition,
    initial: undefined,
    judge: (_, event, place) => {
      const wrong = definition.judge(event, place)
      return wrong === undefined ? undefined : new Broken(undefined, [wrong])
    },
  })

/** Make a rule about what stands inside one step; it begins anew with every step. */
export const inStep = <S>(definition: {
  readonly id: string
  readonly statement: string
  readonly hint: string
  readonly initial: S
  readonly judge: (own: S, event: InStep, place: Place) => S | Broken<S>
  /** What a crash makes of it. */
  readonly resumed?: (own: S) => S
}): Rule =>
  placed<S>({
    ...definition,
    judge: (own, event, place) => {
      const { initial, judge, resumed } = definition
      if (event.type === "step/start") return namesClosedTurn(event, place) ? own : initial
      if (event.type === "session/resume") return resumed === undefined ? own : resumed(own)
      if (isHere(event, place)) return judge(own, event, place)
      const entered = place.step === 0 ? move(place, event) : place
      return isHere(event, entered) ? judge(initial, event, entered) : own
    },
  })

export const isInStep = (event: SessionEvent): event is InStep => {
  switch (event.type) {
    case "assistant/chunk":
    case "usage":
    case "assistant/message":
    case "tool/call":
    case "tool/result":
    case "approval/asked":
    case "step/end":
      return true
    default:
      return false
  }
}

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

interface Placed<S> {
  readonly own: S
  readonly place: Place
  /** What was said of the last bad chunk: a run of equally bad chunks counts once. */
  readonly said: string
}

const move = (place: Place, event: SessionEvent): Place => {
  if (event.type === "turn/start") {
    const { turn } = event.data
    return { turn, latestTurn: Math.max(turn, place.latestTurn), step: 0, latestStep: 0 }
  }
  if (turnOf(event) === 0 || namesClosedTurn(event, place)) return place
  switch (event.type) {
    case "turn/end":
      return place.turn === 0 ? place : { ...nowhere, latestTurn: place.latestTurn }
    case "step/start":
      return enter(place, event.data.turn, event.data.step)
    case "step/end":
      return place.step === 0 ? place : { ...place, step: 0 }
    case "assistant/chunk":
    case "assistant/message":
      return place.step === 0 && isNewStep(place, event.data)
        ? enter(place, place.turn, event.data.step)
        : place
    default:
      return place
  }
}

/** A step whose start is missing was entered all the same. */
const isNewStep = (place: Place, named: { readonly turn: number; readonly step: number }): boolean =>
  named.turn === place.turn && named.step > place.latestStep

/** So was a turn whose start is missing. */
const enter = (place: Place, turn: number, step: number): Place => {
  const open = place.turn === 0 ? turn : place.turn
  return { turn: open, latestTurn: Math.max(open, place.latestTurn), step, latestStep: step }
}
