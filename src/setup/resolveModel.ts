/**
 * From the value of `--model` to a model.
 *
 * In:  `script:FILE` or `PROVIDER:NAME`; how long a provider may be silent.      Out: the `Model` service.
 * Fails with: `Unreadable` for a script file, `ScriptInvalid`, `ProviderError`.
 * Not here: which providers there are (`model/Providers`).
 */
import { Duration, Effect, FileSystem, Option } from "effect"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import { unreadableFile, WrongUsage } from "./CliFailure.ts"

const scheme = "script:"

export const resolveModel = Effect.fnUntraced(function* (name: string, idleSeconds: Option.Option<number>) {
  if (!name.startsWith(scheme)) {
    // Loaded on demand: a script needs no provider code.
    const Providers = yield* Effect.promise(() => import("../model/Providers.ts"))
    return yield* Effect.catchTag(
      Providers.fromName(name, silence(idleSeconds)),
      "ProviderUnknown",
      ({ message }) => Effect.fail(new WrongUsage({ message: `${message}, or script:FILE` })),
    )
  }
  const file = name.slice(scheme.length)
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), unreadableFile("the script", file))
  return ScriptedModel.make(yield* ScriptedModel.parse(text), { name }).model
})

const silence = (seconds: Option.Option<number>) =>
  Option.isNone(seconds) ? {} : { idleTimeout: Duration.seconds(seconds.value) }
