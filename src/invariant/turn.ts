/**
 * The rules of the group turn: turns do not overlap, count up, stay closed, and end for a reason.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: what happens inside a turn (`step.ts`), who may begin one (`inbox.ts`).
 */
import { namesClosedTurn, stepTypes, turnOf, turnTypes } from "../contract/Place.ts"
import { Broken, make, type Rule } from "../contract/Rule.ts"
import { stateless } from "./inStep.ts"

const nests = stateless({
  id: "turn.nests",
  statement: "At most one turn is open; only the open turn is aborted or ended.",
  hint: "End the open turn before the next one starts, also when it failed: write turn/end from a finaliser.",
  on: ["turn/start", "turn/abort", "turn/end"],
  judge: (event, place) => {
    const { turn } = event.data
    if (event.type === "turn/start")
      return place.turn === 0 ? undefined : `turn ${turn} starts while turn ${place.turn} is open`
    if (turn === place.turn || namesClosedTurn(event, place)) return undefined
    const open = place.turn === 0 ? "no turn is open" : `turn ${place.turn} is open`
    return `${event.type} names turn ${turn}, but ${open}`
  },
})

const counts = stateless({
  id: "turn.counts",
  statement: "Turns are numbered 1, 2, 3 … in the session.",
  hint: "Take the number from the session's state when the turn starts, and never twice.",
  on: ["turn/start"],
  judge: ({ data: { turn } }, { latestTurn }) =>
    turn === latestTurn + 1 ? undefined : `turn ${turn} starts where turn ${latestTurn + 1} is next`,
})

const closedIsClosed = stateless({
  id: "turn.closedIsClosed",
  statement: "Nothing names a turn that has ended.",
  hint: "Something outlived its turn: stop its fibers and drop its late chunks before turn/end.",
  on: [...turnTypes, ...stepTypes],
  judge: (event, place) =>
    namesClosedTurn(event, place) ? `${event.type} names turn ${turnOf(event)}, which is closed` : undefined,
})

const abortWins = make({
  id: "turn.abortWins",
  statement:
    "A turn ends as aborted exactly when an abort was accepted, once, and nothing starts after that.",
  hint: "Look at `aborting` in the same synchronous step in which the step, the call or the turn's end is written.",
  on: ["turn/start", "turn/abort", "session/resume", "step/start", "tool/call", "turn/end"],
  initial: false,
  step: (aborting, event, place) => {
    if (event.type === "turn/start") return false
    if (place.turn === 0 || namesClosedTurn(event, place)) return aborting
    switch (event.type) {
      case "turn/abort":
        return aborting ? new Broken(true, [`turn ${place.turn} is aborted a second time`]) : true
      case "session/resume":
        return aborting && event.data.reruns.length > 0
          ? new Broken(true, [`${event.data.reruns.join(", ")} is to run again after the abort`])
          : aborting
      case "step/start":
        return aborting ? new Broken(true, [`step ${event.data.step} starts after the abort`]) : false
      case "tool/call":
        return aborting && event.data.starts !== false
          ? new Broken(true, [`call ${event.data.callId} starts after the abort`])
          : aborting
      case "turn/end": {
        const { kind } = event.data.reason
        if ((kind === "aborted") === aborting) return false
        const accepted = aborting ? "an abort was accepted" : "no abort was accepted"
        return new Broken(false, [`turn ${place.turn} ends as ${kind}, but ${accepted}`])
      }
    }
  },
})

const reasonCode = stateless({
  id: "turn.reasonCode",
  statement: "A turn that ends as failed or at a limit carries a code.",
  hint: "Put the error's stable code, or the code of the limit, into the reason of turn/end.",
  on: ["turn/end"],
  judge: ({ data: { turn, reason } }) =>
    (reason.kind === "failed" || reason.kind === "limit") && !reason.code
      ? `turn ${turn} ends as ${reason.kind} without a code`
      : undefined,
})

export const rules: ReadonlyArray<Rule> = [nests, counts, closedIsClosed, abortWins, reasonCode]
