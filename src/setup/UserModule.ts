/**
 * Load a module of the user's that a flag names.
 *
 * In:  a module path or a package name, and what the module is to hold, in a word.      Out: what it exports.
 * Fails with: `Unreadable` when it does not load.
 * Not here: what its exports are (`loadTools.ts`, `verdict/OwnRules.ts`); that both sides share one copy of effect (ADR 0007).
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { Unreadable } from "./CliFailure.ts"

/** A module that waits at its top level for what never comes would otherwise be waited for without a word. */
const loadingTime = "30 seconds"

export const load = (what: string, module: string): Effect.Effect<unknown, Unreadable> =>
  Effect.tryPromise({
    try: (): Promise<unknown> => import(isPath(module) ? pathToFileURL(resolve(module)).href : module),
    catch: (cause) => doesNotLoad(what, module, cause),
  }).pipe(
    Effect.timeoutOrElse({
      duration: loadingTime,
      orElse: () =>
        Effect.fail(doesNotLoad(what, module, new Error(`it is not loaded after ${loadingTime}`))),
    }),
  )

export const doesNotLoad = (what: string, module: string, cause: unknown): Unreadable =>
  new Unreadable({
    message: `the ${what} module ${JSON.stringify(module)} does not load: ${firstLine(cause)}`,
  })

/** A bare name is a package, unless a file of that name is here. */
const isPath = (module: string): boolean => /^\.{0,2}[\\/]/.test(module) || existsSync(module)

/** Node adds which of our own files asked for a module; that is no news to a person. */
const firstLine = (cause: unknown): string =>
  Foreign.normalise(cause)
    .message.split("\n", 1)
    .join("")
    .replace(/ imported from .*$/, "")
