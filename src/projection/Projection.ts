/**
 * Make a JSON Schema fit the strict mode of a provider, and say what is lost on the way.
 *
 * In:  a JSON Schema of a tool.      Out: the schema to send, the losses, and the way back for the arguments.
 * Fails with: nothing; a schema that cannot fit is handed back as it is, `isStrict` false, with the reasons.
 * Not here: whole toolboxes (`StrictTools.ts`), the tables (`targets.ts`).
 *
 * The check stays against the original: what is lost here the model may break, and hears of it as ever.
 */
import { Schema } from "effect"
import * as Digest from "../message/Digest.ts"
import { type Loss, projectRoot } from "./projectNode.ts"
import { restoreAbsent } from "./restoreAbsent.ts"
import { anthropic as anthropicRules, openAi as openAiRules, type Rules } from "./targets.ts"

export type { Loss } from "./projectNode.ts"

export interface Projected {
  readonly schema: Schema.JsonObject
  /** What the model is no longer told, or cannot send any more. */
  readonly losses: ReadonlyArray<Loss>
  /** Whether the provider's strict mode reads `schema`. When not, `schema` is the original. */
  readonly isStrict: boolean
  /**
   * Take away the nulls that stand for "absent", because the projection asked for them; a null that the original takes
   * stays. Gives the value itself when there is none.
   */
  readonly restore: (args: Schema.Json) => Schema.Json
}

/** A provider's strict mode. */
export interface Target {
  readonly name: "openai" | "anthropic"
  readonly project: (schema: Schema.JsonObject) => Projected
  /** Whether strict mode reads this schema just as it is: what `project` gives, it does. */
  readonly reads: (schema: Readonly<Record<string, unknown>>) => boolean
}

const make = (rules: Rules): Target => {
  const project: Target["project"] = (schema) => {
    const { projected, losses } = projectRoot(schema, rules)
    return projected === undefined
      ? { schema, losses, isStrict: false, restore: (args) => args }
      : {
          schema: projected,
          losses,
          isStrict: true,
          restore: rules.requiresAll ? (args) => restoreAbsent(args, schema) : (args) => args,
        }
  }
  return {
    name: rules.name,
    project,
    reads: (schema) => {
      if (!isJsonObject(schema)) return false
      const { isStrict, schema: projected } = project(schema)
      return isStrict && Digest.canonical(projected) === Digest.canonical(schema)
    },
  }
}

const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

/**
 * OpenAI: all objects closed, all properties required; an optional one takes null instead.
 * Source: docs/reference/json-schema.md, every keyword.
 */
export const openAi: Target = make(openAiRules)

/** Anthropic: all objects closed, optional properties stay, no bounds of numbers and lengths, no recursion. */
export const anthropic: Target = make(anthropicRules)
