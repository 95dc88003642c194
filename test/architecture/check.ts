/**
 * All checks of the architecture over one tree.
 *
 * In:  the plan, and paths with their texts.      Out: faults, by file and line.
 */
import { checkBarrels, checkComplete, checkDoors } from "./checkDoors.ts"
import { checkEffects } from "./checkEffects.ts"
import { checkCycles, checkRooms, checkTargets } from "./checkRooms.ts"
import { checkCasts, checkComments, checkPaths, checkSizes } from "./checkShape.ts"
import { checkSleeps } from "./checkSleeps.ts"
import { type Fault, read, type Tree } from "./Module.ts"
import type { Plan } from "./rooms.ts"

/** Check a tree of `src/**` and `test/**`. */
export const check = (plan: Plan, tree: Tree): ReadonlyArray<Fault> => {
  const modules = [...tree].map(([path, text]) => read(path, text))
  return [
    ...checkRooms(plan, modules),
    ...checkTargets(modules),
    ...checkCycles(modules),
    ...checkDoors(plan, modules),
    ...checkComplete(plan, modules),
    ...checkBarrels(modules),
    ...checkSizes(modules),
    ...checkCasts(modules),
    ...checkComments(modules),
    ...checkSleeps(modules),
    ...checkPaths(modules),
    ...checkEffects(modules),
  ].sort((left, right) => left.file.localeCompare(right.file) || left.line - right.line)
}

/** One line a fault. */
export const format = ({ file, line, message, rule }: Fault): string => `${file}:${line} ${rule}: ${message}`
