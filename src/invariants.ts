/**
 * The contract of the session log as assertions, for tests, development and logs at rest.
 *
 * Out: `DevInvariants` to provide, `Verifier` for stored logs, the table of rules and what rules are made of.
 * Not here: the rules that are always on; they need no opting in.
 */
export * as Place from "./contract/Place.ts"
export * as Rule from "./contract/Rule.ts"
export * as DevInvariants from "./invariant/DevInvariants.ts"
export * as InvariantError from "./invariant/InvariantError.ts"
export * as Observation from "./invariant/Observation.ts"
export * as Rules from "./invariant/Rules.ts"
export * as Verifier from "./invariant/Verifier.ts"
