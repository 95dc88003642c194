/**
 * A toolbox whose schemas fit a provider's strict mode.
 *
 * In:  a toolbox and a target.      Out: the same tools, shown by their projected schemas and checked by their own.
 * Fails with: nothing; a tool whose schema cannot fit stays as it is.
 * Not here: one schema (`Projection.ts`), telling the provider (`strict` of `AiSdkModel`).
 */
import { Result, type Schema } from "effect"
import { isRecord } from "../kind/Words.ts"
import * as Digest from "../message/Digest.ts"
import { parse } from "../text/ArgumentText.ts"
import type { Entry, Toolbox } from "../tool/Toolbox.ts"
import type { Projected, Target } from "./Projection.ts"

/** What becomes of one tool. */
export interface ToolReport {
  readonly tool: string
  readonly isStrict: boolean
  readonly losses: Projected["losses"]
}

/**
 * Show the model schemas that strict mode reads, which mark nothing as sensitive: the tool's own schema goes with them
 * for whoever shows a log. A null that such a schema asks for in place of an absent key is taken
 * away before the tool's own check; the log keeps what the model wrote.
 */
export const project = <R>(toolbox: Toolbox<R>, target: Target): Toolbox<R> => {
  const projected = new Map(
    toolbox.descriptions.map((description) => [description.name, target.project(description.parameters)]),
  )
  const show = <D extends Shown>(shown: D): D => {
    const to = projected.get(shown.name)
    if (to === undefined || !to.isStrict) return shown
    const { sensitive = shown.parameters } = shown
    const secrets = marksSecret(sensitive) ? { sensitive } : {}
    return { ...shown, ...secrets, parameters: to.schema, fingerprint: Digest.ofSchema(to.schema) }
  }
  const tools = [...toolbox.tools].map(([name, entry]): readonly [string, Entry<R>] => {
    const { isStrict = false, restore } = projected.get(name) ?? {}
    if (!isStrict || restore === undefined) return [name, entry]
    return [
      name,
      { ...show(entry), prepare: (text, lenient) => entry.prepare(withoutNulls(text, restore), lenient) },
    ]
  })
  return { ...toolbox, tools: new Map(tools), descriptions: toolbox.descriptions.map(show) }
}

interface Shown {
  readonly name: string
  readonly parameters: Schema.JsonObject
  readonly sensitive?: Schema.JsonObject
}

const marksSecret = (part: unknown): boolean => {
  if (Array.isArray(part)) return part.some(marksSecret)
  return isRecord(part) && (part["writeOnly"] === true || Object.values(part).some(marksSecret))
}

/** Say for each tool what `project` would do. */
export const report = <R>(toolbox: Toolbox<R>, target: Target): ReadonlyArray<ToolReport> =>
  toolbox.descriptions.map(({ name, parameters }) => {
    const { isStrict, losses } = target.project(parameters)
    return { tool: name, isStrict, losses }
  })

/** A text without such nulls stays as it is, to the letter: faults in it are told by their position. */
const withoutNulls = (text: string, restore: Projected["restore"]): string => {
  if (!text.includes("null")) return text
  const parsed = parse(text)
  if (Result.isFailure(parsed)) return text
  const restored = restore(parsed.success)
  return restored === parsed.success ? text : JSON.stringify(restored)
}
