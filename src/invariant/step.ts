/**
 * The rules of the group step: a step lies inside its turn, and its events come in one order.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: the grammar of chunks (`chunk.ts`), calls and results (`call.ts`).
 */
import { type InStep, isHere, isInStep, namesClosedTurn, type Place, stepTypes } from "../contract/Place.ts"
import { Broken, make, type Rule } from "../contract/Rule.ts"
import { inStep, stateless } from "./inStep.ts"

const nests = stateless({
  id: "step.nests",
  statement: "A step lies inside an open turn, one at a time, and what belongs to a step happens inside one.",
  hint: "Write step/end before the next step or the end of the turn, also on failure and abort.",
  on: [...stepTypes, "step/start", "turn/end"],
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

const counts = stateless({
  id: "step.counts",
  statement: "Steps are numbered 1, 2, 3 … in their turn.",
  hint: "Take the number from the session's state when the step starts; a retry is a new step.",
  on: ["step/start"],
  judge: (event, place) => {
    if (namesClosedTurn(event, place) || event.data.step === place.latestStep + 1) return undefined
    return `step ${event.data.step} starts where step ${place.latestStep + 1} is next`
  },
})

const names = stateless({
  id: "step.names",
  statement: "What belongs to a step names the open turn and step; an error names them, or 0.",
  hint: "Number the event from the session's state, not from a copy that an earlier step left behind.",
  on: [...stepTypes, "step/start", "error"],
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

type Phase = "streaming" | "used" | "answered" | "broken"

const phase = inStep<Phase, InStep["type"]>({
  id: "step.phase",
  statement: "In a step come chunks, then usage, then the message, then its calls, then the end.",
  hint: "The stream must be over before the message is written, and the message before its calls.",
  on: stepTypes,
  initial: "streaming",
  judge: (before, event) => {
    const after = advance(before, event)
    const wrong = before === "broken" ? undefined : disorder(before, event)
    return wrong === undefined ? after : new Broken(after, [wrong])
  },
  resumed: (before) => breakOff(before),
})

const disorder = (before: Phase, event: InStep): string | undefined => {
  switch (event.type) {
    case "assistant/chunk":
      if (before === "streaming") return undefined
      return `a chunk comes after the ${before === "used" ? "usage" : "message"}`
    case "usage":
      return before === "answered" ? "usage comes after the message" : undefined
    case "assistant/message":
      return before === "answered" ? "a second message in one step" : undefined
    case "tool/call":
    case "approval/asked":
      return before === "answered" ? undefined : `${event.type} comes before the message`
    default:
      return undefined
  }
}

const usageOnce = inStep({
  id: "step.usageOnce",
  statement: "A step has at most one usage.",
  hint: "Add up what the provider reports in pieces, and write it once, before the message.",
  on: ["usage"],
  initial: false,
  judge: (used, _, place) => (used ? new Broken(true, [`a second usage in step ${place.step}`]) : true),
})

const noEmptyRetry = inStep<Phase, InStep["type"]>({
  id: "step.noEmptyRetry",
  statement: "A step whose stream was broken by a crash gets only results and its end.",
  hint: "Close the broken step at resume and ask the model again in a new one.",
  on: stepTypes,
  initial: "streaming",
  judge: (before, event, place) => {
    const after = advance(before, event)
    if (before !== "broken" || event.type === "tool/result" || event.type === "step/end") return after
    return new Broken(after, [`${event.type} comes in step ${place.step}, which a crash has broken`])
  },
  resumed: (before) => breakOff(before),
})

/** A step goes forward only, and a broken one stays broken. */
const advance = (before: Phase, { type }: InStep): Phase => {
  if (before === "broken") return before
  if (type === "assistant/message") return "answered"
  return type === "usage" && before === "streaming" ? "used" : before
}

const breakOff = (before: Phase): Phase => (before === "answered" ? before : "broken")

const request = make({
  id: "step.request",
  statement: "A step that names the configuration of its request names the latest one.",
  hint: "Log request/config when it changes, before the step; the session's state has the seq of the latest.",
  on: ["request/config", "step/start"],
  initial: -1,
  step: (latest, event) => {
    if (event.type === "request/config") return event.seq
    const { request, step } = event.data
    if (request === undefined || request.config === latest) return latest
    const due = latest === -1 ? "none was logged" : `the latest is seq ${latest}`
    return new Broken(latest, [`step ${step} names the configuration of seq ${request.config}, but ${due}`])
  },
})

export const rules: ReadonlyArray<Rule> = [nests, counts, names, phase, usageOnce, noEmptyRetry, request]
