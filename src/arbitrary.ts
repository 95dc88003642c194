/**
 * Generators for property tests of what is built on this package: specs and their values, answers, logs, inboxes.
 *
 * Out: public modules as namespaces; every arbitrary is one of fast-check, which is an optional peer.
 * Fails with: `ERR_MODULE_NOT_FOUND` of Node where fast-check is not installed, before anything here could say so.
 * Not here: what tests need without it (`testing.ts`).
 */
export * as Answers from "./arbitrary/Answers.ts"
export * as Inbox from "./arbitrary/Inbox.ts"
export * as Logs from "./arbitrary/Logs.ts"
export * as Specs from "./arbitrary/Specs.ts"
export * as Values from "./arbitrary/Values.ts"
