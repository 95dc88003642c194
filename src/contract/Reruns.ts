/**
 * How often one call may be run again after crashes.
 *
 * Not here: the rule that holds logs to it (`startRules.ts`).
 */

/** More re-runs of one call than this end as outcome-unknown. */
export const maxReruns = 2
