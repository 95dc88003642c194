/**
 * What users need to test what they build: a model that follows a script, a store in memory, ids that count,
 * and what a store of their own owes.
 *
 * Out: public modules as namespaces.
 */
export * as Ids from "./message/Ids.ts"
export * as ScriptedModel from "./model/ScriptedModel.ts"
export * as MemoryStore from "./store/MemoryStore.ts"
export * as ModelConformance from "./testing/ModelConformance.ts"
export * as StoreConformance from "./testing/StoreConformance.ts"
