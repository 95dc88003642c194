/**
 * Where the whole of an output goes when the model gets only a part of it.
 *
 * In:  the text, and whose it is.      Out: the name under which the model can read it again; by default it goes nowhere.
 * Fails with: nothing that counts: what cannot be kept is cut, and said to be.
 * Not here: how much the model gets (`Output.ts`), a folder to spill to (`SpillFolder.ts`).
 */
import { Context, Effect } from "effect"
import type { Rendered } from "./Output.ts"

export interface SpilledText {
  readonly callId: string
  readonly tool: string
  readonly text: string
}

/** Keep the text, and say under which name a tool of the model reads it. */
export type Spill = (spilled: SpilledText) => Effect.Effect<string, unknown>

/** Where the outputs of the calls made under it go. */
export const Spill = Context.Reference<Spill | undefined>("effect-harness/output/Spill", {
  defaultValue: () => undefined,
})

/** Keep what was left out of a rendered output, and tell the model where. An output that was not cut passes by. */
export const keep = (rendered: Rendered, callId: string, tool: string): Effect.Effect<Rendered> => {
  const { whole } = rendered
  if (whole === undefined) return Effect.succeed(rendered)
  return Effect.flatMap(Spill, (spill) => {
    if (spill === undefined) return Effect.succeed(rendered)
    return Effect.suspend(() => {
      const text = whole()
      return Effect.map(spill({ callId, tool, text }), (name): Rendered => {
        const notice = `[The whole output, ${lines(text)} lines of text, is in ${name}. Read the lines you need from there.]`
        return { ...rendered, content: [...rendered.content, { type: "text", text: notice }], spill: name }
      })
    }).pipe(Effect.catchCause(() => Effect.succeed(rendered)))
  })
}

const lines = (text: string): number => {
  let count = text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}
