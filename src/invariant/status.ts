/**
 * The rules of the groups status and store: what a session says of itself is so.
 *
 * In:  nothing.      Out: `rules`, all live.
 * Not here: how the status is derived (`session/`), how a write becomes durable (`store/`).
 */
import { Broken, live, type Rule } from "../contract/Rule.ts"
import type { Status } from "../session/SessionState.ts"
import type { Observation } from "./Observation.ts"

/** `status` is undefined until it is known: a session that is opened over an open turn begins as running. */
const moves = live<Status | undefined, Observation>({
  id: "status.moves",
  statement: "The status goes from idle to running and back, or to disposed for good; never to itself.",
  hint: "Derive the status from the log's state after each append, and tell it only when it has changed.",
  initial: undefined,
  step: (status, observation) => {
    if (observation.kind !== "status") return status
    const { from, to } = observation
    if (status !== undefined && from !== status)
      return new Broken(to, [`a move from ${from} comes while ${status}`])
    if (from === "disposed") return new Broken(from, [`a disposed session becomes ${to}`])
    return from === to ? new Broken(to, [`${from} becomes ${to}`]) : to
  },
})

interface Told {
  readonly status: Status
  /** What the log has made of the status since it was told, one entry a turn's start or end. */
  readonly owed: ReadonlyArray<Status>
}

const matches = live<Told, Observation>({
  id: "status.matches",
  statement: "A session is running exactly while a turn is open, and idle otherwise.",
  hint: "A turn must always end, and its end must always be told: write turn/end from a finaliser.",
  initial: { status: "idle", owed: [] },
  step: (state, observation) => {
    switch (observation.kind) {
      case "logged": {
        const { type } = observation.event
        if (type !== "turn/start" && type !== "turn/end") return state
        return { ...state, owed: [...state.owed, type === "turn/start" ? "running" : "idle"] }
      }
      case "opened":
        return { status: state.owed.at(-1) ?? "idle", owed: [] }
      case "status":
        return follow(state, observation.to)
      default: {
        // Between two appends all has been told, so by now it must fit.
        const due = state.owed.at(-1) ?? state.status
        if (state.status === "disposed" || state.status === due)
          return state.owed.length === 0 ? state : { ...state, owed: [] }
        return new Broken({ status: due, owed: [] }, [
          `the status is still ${state.status} where the log says ${due}`,
        ])
      }
    }
  },
})

/** One append may start and end turns; a session may tell each move, or only where it stands after all of them. */
const follow = (state: Told, to: Status): Told | Broken<Told> => {
  if (to === "disposed") return { status: to, owed: [] }
  const at = state.owed.indexOf(to)
  if (at >= 0) return { status: to, owed: state.owed.slice(at + 1) }
  const open = to === "idle" ? "the open turn has not ended" : "no turn has started"
  return new Broken({ ...state, status: to }, [`the status becomes ${to}, but ${open}`])
}

const ackDurable = live<number, Observation>({
  id: "store.ackDurable",
  statement: "Nothing is acknowledged that is not logged, or not yet as durable as is told.",
  hint: "Tell a caller only after the store's append for that seq has returned.",
  initial: -1,
  step: (loggedSeq, observation) => {
    if (observation.kind === "logged") return observation.event.seq
    if (observation.kind !== "acknowledged") return loggedSeq
    const { told, seq, writtenSeq, syncedSeq } = observation
    const reached = { accepted: loggedSeq, written: writtenSeq, synced: syncedSeq }[told]
    const mark = Math.min(reached, loggedSeq)
    return seq <= mark
      ? loggedSeq
      : new Broken(loggedSeq, [`seq ${seq} is told as ${told}, which holds up to ${mark}`])
  },
})

export const rules: ReadonlyArray<Rule<Observation>> = [moves, matches, ackDurable]
