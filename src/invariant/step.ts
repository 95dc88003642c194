/**
 * The rules of the group step: a step lies inside its turn, and its events come in one order.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: the grammar of chunks (`chunk.ts`), calls and results (`call.ts`).
 */
import { Broken, type Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { isHere, isInStep, namesClosedTurn, type Place, placed, placedOnly } from "./locate.ts"

const nests = placedOnly({
  id: "step.nests",
  statement: "A step lies inside an open turn, one at a time, and what belongs to a step happens inside one.",
  hint: "Write step/end before the next step or the end of the turn, also on failure and abort.",
  judge: (event, place) => {
    if (namesClosedTurn(event, place)) return undefined
    if (event.type === "step/start") {
      if (place.turn === 0) return `step ${event.data.step} starts while no turn is open`
      return place.step === 0 ? undefined : `step ${event.data.step} starts while step ${place.step} is open`
    }
    if (event.type === "turn/end") {
      return place.step === 0 ? undefined : `turn ${place.turn} ends while step ${place.step} is open`
    }
    if (!isInStep(event) || place.step > 0) return undefined
    return `${event.type} comes while no ${place.turn === 0 ? "turn" : "step"} is open`
  },
})

const counts = placedOnly({
  id: "step.counts",
  statement: "Steps are numbered 1, 2, 3 … in their turn.",
  hint: "Take the number from the session's state when the step starts; a retry is a new step.",
  judge: (event, place) => {
    if (event.type !== "step/start" || namesClosedTurn(event, place)) return undefined
    if (event.data.step === place.latestStep + 1) return undefined
    return `step ${event.data.step} starts where step ${place.latestStep + 1} is next`
  },
})

const names = placedOnly({
  id: "step.names",
  statement: "What belongs to a step names the open turn and step; an error names them, or 0.",
  hint: "Number the event from the session's state, not from a copy that an earlier step left behind.",
  judge: (event, place) => {
    if (event.type === "error")
      return namesClosedTurn(event, place) ? undefined : errorName(event.data, place)
    if (event.type === "step/start") {
      if (place.turn === 0 || event.data.turn === place.turn || namesClosedTurn(event, place))
        return undefined
      return `step/start names turn ${event.data.turn}, but turn ${place.turn} is open`
    }
    if (!isHere(event, place)) return undefined
    const { turn, step } = event.data
    if (turn === place.turn && step === place.step) return undefined
    return `${event.type} names turn ${turn} step ${step}, but turn ${place.turn} step ${place.step} is open`
  },
})

const errorName = (
  named: { readonly turn: number; readonly step: number },
  place: Place,
): string | undefined => {
  const turnFits = named.turn === 0 || named.turn === place.turn
  const stepFits = named.step === 0 || (named.turn !== 0 && named.step === place.step)
  if (turnFits && stepFits) return undefined
  return `error names turn ${named.turn} step ${named.step}, but turn ${place.turn} step ${place.step} is open`
}

type Phase = "none" | "streaming" | "used" | "answered" | "broken"

const phase = placed<Phase>({
  id: "step.phase",
  statement: "In a step come chunks, then usage, then the message, then its calls, then the end.",
  hint: "The stream must be over before the message is written, and the message before its calls.",
  initial: "none",
  judge: (before, event, place) => {
    const after = advance(before, event, place)
    if (!isHere(event, place) || before === "broken" || before === "none") return after
    switch (event.type) {
      case "assistant/chunk":
        return before === "streaming" ? after : new Broken(after, [`a chunk comes after the ${last(before)}`])
      case "usage":
        return before === "answered" ? new Broken(after, ["usage comes after the message"]) : after
      case "assistant/message":
        return before === "answered" ? new Broken(after, ["a second message in one step"]) : after
      case "tool/call":
      case "approval/asked":
        return before === "answered" ? after : new Broken(after, [`${event.type} comes before the message`])
      default:
        return after
    }
  },
})

const last = (before: Phase): string => (before === "used" ? "usage" : "message")

const usageOnce = placed<boolean>({
  id: "step.usageOnce",
  statement: "A step has at most one usage.",
  hint: "Add up what the provider reports in pieces, and write it once, before the message.",
  initial: false,
  judge: (used, event, place) => {
    if (event.type === "step/start") return false
    if (event.type !== "usage" || !isHere(event, place)) return used
    return used ? new Broken(true, [`a second usage in step ${place.step}`]) : true
  },
})

const noEmptyRetry = placed<Phase>({
  id: "step.noEmptyRetry",
  statement: "A step whose stream was broken by a crash gets only results and its end.",
  hint: "Close the broken step at resume and ask the model again in a new one.",
  initial: "none",
  judge: (before, event, place) => {
    const after = advance(before, event, place)
    if (before !== "broken" || !isHere(event, place)) return after
    if (event.type === "tool/result" || event.type === "step/end") return after
    return new Broken(after, [`${event.type} comes in step ${place.step}, which a crash has broken`])
  },
})

/** The phase of the open step; it goes forward only. */
const advance = (before: Phase, event: SessionEvent, place: Place): Phase => {
  switch (event.type) {
    case "step/start":
      return "streaming"
    case "turn/start":
      return "none"
    case "session/resume":
      return before === "streaming" || before === "used" ? "broken" : before
    default:
      return isHere(event, place) ? advanceHere(before, event.type) : before
  }
}

const advanceHere = (before: Phase, type: SessionEvent["type"]): Phase => {
  if (type === "step/end") return "none"
  if (before === "broken") return before
  if (type === "assistant/message") return "answered"
  return type === "usage" && before === "streaming" ? "used" : before
}

export const rules: ReadonlyArray<Rule> = [nests, counts, names, phase, usageOnce, noEmptyRetry]
