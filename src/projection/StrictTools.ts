/**
 * A toolbox whose schemas fit a provider's strict mode.
 *
 * In:  a toolbox and a target.      Out: the same tools, shown by their projected schemas and checked by their own.
 * Fails with: nothing; a tool whose schema cannot fit stays as it is.
 * Not here: one schema (`Projection.ts`), telling the provider (`strict` of `AiSdkModel`).
 */
import { Effect, Result, type Schema } from "effect"
import { isRecord } from "../kind/Words.ts"
import * as Digest from "../message/Digest.ts"
import type { Repair } from "../message/ToolResult.ts"
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
 * for whoever shows a log. A null that such a schema asks for in place of an absent key is taken away before the tool's
 * own check; the log keeps what the model wrote, and each such null among the result's `repairs`. The model is not told:
 * it did as it was asked.
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
    const prepare: Entry<R>["prepare"] = (given, lenient) => {
      const { repairs, text } = withoutNulls(given, restore)
      const prepared = entry.prepare(text, lenient)
      return repairs.length === 0
        ? prepared
        : Effect.map(prepared, (one) => ({ ...one, repairs: [...repairs, ...one.repairs] }))
    }
    return [name, { ...show(entry), prepare }]
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

interface Restored {
  readonly text: string
  readonly repairs: ReadonlyArray<Repair>
}

/** A text without such nulls stays as it is, to the letter: faults in it are told by their position. */
const withoutNulls = (text: string, restore: Projected["restore"]): Restored => {
  const parsed = text.includes("null") ? parse(text) : undefined
  if (parsed === undefined || Result.isFailure(parsed)) return { text, repairs: [] }
  const restored = restore(parsed.success)
  if (restored === parsed.success) return { text, repairs: [] }
  const repairs = left(parsed.success, restored, []).map(
    (path): Repair => ({ policy: "null-as-absent", path, before: null, why: strictNull }),
  )
  return { text: JSON.stringify(restored), repairs }
}

const strictNull = "strict mode has null where a key is to be absent"

/** Where a key was left out. */
const left = (
  before: Schema.Json,
  after: Schema.Json,
  path: Repair["path"],
): ReadonlyArray<Repair["path"]> => {
  if (before === after || typeof before !== "object" || before === null) return []
  return Object.entries(before).flatMap(([key, member]) => {
    const here = [...path, Array.isArray(before) ? Number(key) : key]
    if (typeof after !== "object" || after === null || !Object.hasOwn(after, key)) return [here]
    return left(member, Reflect.get(after, key), here)
  })
}
