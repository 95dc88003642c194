/**
 * What users need to test what they build: a world for tests of agents, a model that follows a script or a recording,
 * what model adapters and stores owe, and logs that break the rules one by one.
 *
 * Out: public modules as namespaces.
 * Not here: generators for property tests (`arbitrary.ts`), which need fast-check.
 */
export * as ModelConformance from "./conformance/ModelConformance.ts"
export * as StoreConformance from "./conformance/StoreConformance.ts"
export * as Explore from "./explore/Explore.ts"
export * as Ids from "./message/Ids.ts"
export * as ScriptedModel from "./model/ScriptedModel.ts"
export * as Mutant from "./mutant/Mutant.ts"
export * as Mutants from "./mutant/Mutants.ts"
export * as Story from "./mutant/Story.ts"
export * as MemoryStore from "./store/MemoryStore.ts"
export * as Recording from "./testing/Recording.ts"
export * as TestHarness from "./testing/TestHarness.ts"
