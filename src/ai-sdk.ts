/**
 * Models through the provider packages of the AI SDK, which are optional peers.
 *
 * Out: `Providers` to find a model by its name, `AiSdkModel` to bring a model object of your own.
 * Source: docs/adr/0004.
 */
export * as AiSdkModel from "./model/AiSdkModel.ts"
export * as Providers from "./model/Providers.ts"
