/**
 * From the value of `--tools` to a toolbox.
 *
 * In:  a module path or a package name.      Out: the toolbox that its default export is, or makes.
 * Fails with: `Unreadable` when it does not load, `WrongUsage` when it exports something else.
 * Not here: loading the module (`UserModule.ts`), the tools that come with the harness (`toolkit/`).
 */
import { Cause, Effect, Predicate, type Scope } from "effect"
import type * as Tool from "../tool/Tool.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import { WrongUsage } from "./CliFailure.ts"
import * as UserModule from "./UserModule.ts"

const wanted = "its default export must be a Toolbox or a tool that needs no services, or an Effect of one"

export const loadTools = Effect.fnUntraced(function* (module: string) {
  const loaded = yield* UserModule.load("tools", module)
  const exported = Predicate.hasProperty(loaded, "default") ? loaded.default : undefined
  if (!isMaker(exported)) return yield* toToolbox(module, exported)
  const made = Effect.catchCause(exported, (cause) =>
    Effect.fail(UserModule.doesNotLoad("tools", module, Cause.squash(cause))),
  )
  return yield* toToolbox(module, yield* made)
})

const toToolbox = (module: string, exported: unknown): Effect.Effect<Toolbox.Toolbox<never>, WrongUsage> => {
  if (isToolbox(exported)) return Effect.succeed(exported)
  return isTool(exported) ? Effect.succeed(Toolbox.make(exported)) : noToolbox(module)
}

const noToolbox = (module: string) =>
  Effect.fail(
    new WrongUsage({ message: `the tools module ${JSON.stringify(module)} exports no tools: ${wanted}` }),
  )

const isToolbox = (value: unknown): value is Toolbox.Toolbox<never> =>
  Predicate.hasProperty(value, "tools") &&
  value.tools instanceof Map &&
  Predicate.hasProperty(value, "descriptions")

/** What a module's author gives is typed where it is written; here it can only be looked at. */
const isTool = (value: unknown): value is Tool.Tool<string, never, unknown, unknown, never> =>
  Predicate.hasProperty(value, "fingerprint") && Predicate.hasProperty(value, "body")

const isMaker = (value: unknown): value is Effect.Effect<unknown, unknown, Scope.Scope> =>
  Effect.isEffect(value)
