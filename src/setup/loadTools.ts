/**
 * From the value of `--tools` to a toolbox.
 *
 * In:  a module path or a package name.      Out: the toolbox that its default export is, or makes.
 * Fails with: `Unreadable` when it does not load, `WrongUsage` when it exports something else.
 * Not here: the tools that come with the harness (`toolkit/`).
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Cause, Effect, Predicate, type Scope } from "effect"
import * as Foreign from "../error/Foreign.ts"
import type * as Tool from "../tool/Tool.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import { Unreadable, WrongUsage } from "./CliFailure.ts"

const wanted = "its default export must be a Toolbox or a tool that needs no services, or an Effect of one"

/** A module that waits at its top level for what never comes would otherwise be waited for without a word. */
const loadingTime = "30 seconds"

export const loadTools = Effect.fnUntraced(function* (module: string) {
  const loaded: unknown = yield* Effect.tryPromise({
    try: () => import(isPath(module) ? pathToFileURL(resolve(module)).href : module),
    catch: (cause) => doesNotLoad(module, cause),
  }).pipe(
    Effect.timeoutOrElse({
      duration: loadingTime,
      orElse: () => Effect.fail(doesNotLoad(module, new Error(`it is not loaded after ${loadingTime}`))),
    }),
  )
  const exported = Predicate.hasProperty(loaded, "default") ? loaded.default : undefined
  if (!isMaker(exported)) return yield* toToolbox(module, exported)
  const made = Effect.catchCause(exported, (cause) => Effect.fail(doesNotLoad(module, Cause.squash(cause))))
  return yield* toToolbox(module, yield* made)
})

const toToolbox = (module: string, exported: unknown): Effect.Effect<Toolbox.Toolbox<never>, WrongUsage> => {
  if (isToolbox(exported)) return Effect.succeed(exported)
  return isTool(exported) ? Effect.succeed(Toolbox.make(exported)) : noToolbox(module)
}

/** A bare name is a package, unless a file of that name is here. */
const isPath = (module: string): boolean => /^\.{0,2}[\\/]/.test(module) || existsSync(module)

const doesNotLoad = (module: string, cause: unknown) =>
  new Unreadable({ message: `the tools module ${JSON.stringify(module)} does not load: ${firstLine(cause)}` })

/** Node adds which of our own files asked for a module; that is no news to a person. */
const firstLine = (cause: unknown): string =>
  Foreign.normalise(cause)
    .message.split("\n", 1)
    .join("")
    .replace(/ imported from .*$/, "")

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
