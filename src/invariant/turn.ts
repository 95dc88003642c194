/**
 * The rules of the group turn: turns do not overlap, count up, stay closed, and end for a reason.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: what happens inside a turn (`step.ts`), who may begin one (`inbox.ts`).
 */
import { Broken, make, type Rule } from "../contract/Rule.ts"
import { namesClosedTurn, placed, placedOnly, turnOf } from "./locate.ts"

const nests = placedOnly({
  id: "turn.nests",
  statement: "At most one turn is open; only the open turn is aborted or ended.",
  hint: "End the open turn before the next one starts, also when it failed: write turn/end from a finaliser.",
  judge: (event, place) => {
    switch (event.type) {
      case "turn/start":
        return place.turn === 0
          ? undefined
          : `turn ${event.data.turn} starts while turn ${place.turn} is open`
      case "turn/abort":
      case "turn/end": {
        const { turn } = event.data
        if (turn === place.turn || namesClosedTurn(event, place)) return undefined
        const open = place.turn === 0 ? "no turn is open" : `turn ${place.turn} is open`
        return `${event.type} names turn ${turn}, but ${open}`
      }
      default:
        return undefined
    }
  },
})

const counts = placedOnly({
  id: "turn.counts",
  statement: "Turns are numbered 1, 2, 3 … in the session.",
  hint: "Take the number from the session's state when the turn starts, and never twice.",
  judge: (event, place) => {
    if (event.type !== "turn/start" || event.data.turn === place.latestTurn + 1) return undefined
    return `turn ${event.data.turn} starts where turn ${place.latestTurn + 1} is next`
  },
})

const closedIsClosed = placedOnly({
  id: "turn.closedIsClosed",
  statement: "Nothing names a turn that has ended.",
  hint: "Something outlived its turn: stop its fibers and drop its late chunks before turn/end.",
  judge: (event, place) =>
    namesClosedTurn(event, place) ? `${event.type} names turn ${turnOf(event)}, which is closed` : undefined,
})

const abortWins = placed<boolean>({
  id: "turn.abortWins",
  statement:
    "A turn ends as aborted exactly when an abort was accepted, once, and nothing starts after that.",
  hint: "Look at `aborting` in the same synchronous step in which the step, the call or the turn's end is written.",
  initial: false,
  judge: (aborting, event, place) => {
    if (event.type === "turn/start") return false
    if (place.turn === 0 || namesClosedTurn(event, place)) return aborting
    switch (event.type) {
      case "turn/abort":
        return aborting ? new Broken(true, [`turn ${place.turn} is aborted a second time`]) : true
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
      default:
        return aborting
    }
  },
})

const reasonCode = make({
  id: "turn.reasonCode",
  statement: "A turn that ends as failed or at a limit carries a code.",
  mode: "D",
  hint: "Put the error's stable code, or the code of the limit, into the reason of turn/end.",
  initial: undefined,
  step: (_, event) => {
    if (event.type !== "turn/end") return undefined
    const { kind, code } = event.data.reason
    if ((kind !== "failed" && kind !== "limit") || code) return undefined
    return new Broken(undefined, [`turn ${event.data.turn} ends as ${kind} without a code`])
  },
})

export const rules: ReadonlyArray<Rule> = [nests, counts, closedIsClosed, abortWins, reasonCode]
