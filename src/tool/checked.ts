/**
 * Refuse the definition of a tool that could never work, where it is written.
 *
 * In:  what somebody defines a tool by, perhaps without types.      Out: the same.
 * Fails with: a `TypeError` that says what is wrong and what may stand there.
 * Not here: what is wrong with a spec or a schema (`spec/`, `jsonschema/`), two tools of one name (`Toolbox.ts`).
 */
import { Predicate } from "effect"
import * as Beginning from "../error/Beginning.ts"

interface Definition {
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly run: unknown
}

/** Source: "function name" of OpenAI's and "tool name" of Anthropic's reference; MCP allows more, so a bridge renames. */
const allowed = /^[a-zA-Z0-9_-]{1,64}$/

/** Errors: a `TypeError` for a name that a provider would refuse in the middle of a turn. */
export const checkName = (name: unknown): void => {
  if (typeof name === "string" && allowed.test(name)) return
  throw new TypeError(
    `The name of a tool is ${say(name)}: it must have 1 to 64 letters, digits, "_" or "-", which is what all providers take.`,
  )
}

export const checked = <D extends Definition>(definition: D): D => {
  if (!Predicate.isObject(definition))
    throw new TypeError(`A tool is defined by an object, got ${say(definition)}.`)
  const { name, description, parameters, run } = definition
  checkName(name)
  if (typeof description !== "string") throw wrong(name, "description", "a text for the model", description)
  if (!isSpec(parameters))
    throw wrong(
      name,
      "parameters",
      "an object: a spec by property, or a schema; {} when there are none",
      parameters,
    )
  if (typeof run !== "function") throw wrong(name, "run", "a function, the body", run)
  return definition
}

/** An Effect Schema may be a class. */
const isSpec = (parameters: unknown): boolean =>
  Predicate.isObject(parameters) || typeof parameters === "function"

const wrong = (name: string, key: string, want: string, got: unknown): TypeError =>
  new TypeError(`The tool ${name}: \`${key}\` must be ${want}, got ${say(got)}.`)

/** Say in a few words what a value is. */
export const say = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(Beginning.shown(value, 80))
  if (Array.isArray(value)) return "an array"
  if (value === null || value === undefined) return String(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
