/**
 * The flags that commands share.
 *
 * In:  nothing.      Out: flags; their meaning is docs/reference/cli.md.
 * Not here: what becomes of their values (`OpenAgent.ts`, `resolveModel.ts`, `loadTools.ts`).
 */
import { Schema } from "effect"
import { Flag } from "effect/cli"

export const dir = Flag.String("dir").pipe(
  Flag.withDescription("Folder of the session logs; .effect-harness/sessions unless given"),
  Flag.withDefault(".effect-harness/sessions"),
)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object on stdout"),
  Flag.withDefault(false),
)

/** What a command that runs an agent needs to know. */
export const agent = {
  model: Flag.String("model").pipe(
    Flag.withDescription("PROVIDER:NAME, or script:FILE for a scripted model"),
  ),
  system: Flag.String("system").pipe(Flag.withDescription("File with the instructions"), Flag.optional),
  dir,
  workspace: Flag.String("workspace").pipe(
    Flag.withDescription("Folder that the file tools may touch; this folder unless given"),
    Flag.withDefault("."),
  ),
  tools: Flag.String("tools").pipe(
    Flag.withDescription("Module whose default export is a Toolbox or a tool, or an Effect of one"),
    Flag.optional,
  ),
  allow: Flag.String("allow").pipe(
    Flag.withDescription("Tool that may change things; can be repeated"),
    Flag.atLeast(0),
  ),
  deny: Flag.String("deny").pipe(
    Flag.withDescription("Tool that is never run; can be repeated"),
    Flag.atLeast(0),
  ),
  idleTimeout: Flag.Int("idle-timeout").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Flag.withDescription("Seconds of silence after which a provider has failed"),
    Flag.optional,
  ),
}
