/**
 * The rules of the group log: what is logged stays as it is.
 *
 * Not here: freezing (`event/Frozen.ts`); seqs, versions and lossless JSON (`contract/`, always on).
 */
import { Broken, live, type Rule } from "../contract/Rule.ts"
import { isDeeplyFrozen } from "../event/Frozen.ts"
import type { Observation } from "./Observation.ts"

const frozen = live<undefined, Observation>({
  id: "log.frozen",
  statement: "What is logged is deeply frozen.",
  hint: "Log plain data, and hand over no object that refuses to be frozen, such as a frozen one that holds a Map.",
  initial: undefined,
  step: (_, observation) => {
    if (observation.kind !== "logged" || isDeeplyFrozen(observation.event)) return undefined
    return new Broken(undefined, [`${observation.event.type} can still be changed after it is logged`])
  },
})

export const rules: ReadonlyArray<Rule<Observation>> = [frozen]
