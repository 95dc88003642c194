/**
 * The user's own rules, out of the modules that `--rules` names.
 *
 * In:  module paths or package names.      Out: rules to hold logs to beside ours; one more where a module brings event types.
 * Fails with: `Unreadable` when a module does not load; `WrongUsage` when it exports something else, or one thing twice.
 * Not here: loading (`setup/UserModule.ts`), how a rule is made (`contract/Rule.ts`).
 */
import { Effect, Predicate, Result, Schema } from "effect"
import { Broken, isId, make, type Rule } from "../contract/Rule.ts"
import * as EventType from "../event/EventType.ts"
import { liveRules, logRules } from "../invariant/Rules.ts"
import { WrongUsage } from "../setup/CliFailure.ts"
import * as UserModule from "../setup/UserModule.ts"

const wanted =
  "it is to export rules of Rule.make or Rule.over, by name or in arrays, and may export their event types"

/** What is exported by several names, or by several modules, counts once. */
export const load = Effect.fnUntraced(function* (modules: ReadonlyArray<string>) {
  const rules = new Set<Rule>()
  const types = new Set<EventType.EventType>()
  for (const module of modules) {
    const parts = partsOf(yield* UserModule.load("rules", module))
    const isEmpty = parts.length === 0
    if (isEmpty) return yield* refuse(module, `exports no rules: ${wanted}`)
    for (const [name, value] of parts) {
      const fault = faultOf(value)
      if (isRule(value) && fault === undefined) rules.add(value)
      else if (isType(value)) types.add(value)
      else
        return yield* refuse(
          module,
          `exports ${JSON.stringify(name)}, ${fault ?? "which is no rule"}: ${wanted}`,
        )
    }
  }
  return yield* gather([...rules], [...types])
})

const refuse = (module: string, words: string) =>
  new WrongUsage({ message: `the rules module ${JSON.stringify(module)} ${words}` })

/** Each export, and each item of one that is an array, by the name that a person finds it by. */
const partsOf = (loaded: unknown): ReadonlyArray<readonly [name: string, value: unknown]> =>
  Object.entries(Predicate.isObject(loaded) ? loaded : {}).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item: unknown, at) => [`${name}[${at}]`, item] as const)
      : [[name, value] as const],
  )

const gather = (rules: ReadonlyArray<Rule>, types: ReadonlyArray<EventType.EventType>) => {
  const type = doubleOf(types.map(({ name }) => name))
  if (type !== undefined)
    return Effect.fail(new WrongUsage({ message: `two event types have the name ${JSON.stringify(type)}` }))
  const own = [...(types.length === 0 ? [] : [fitsOf(types)]), ...rules]
  const id = doubleOf([...logRules, ...liveRules, ...own].map((rule) => rule.id))
  if (id === undefined) return Effect.succeed(own)
  const message = `two rules have the id ${JSON.stringify(id)}; rules of your own want a group of their own, such as acme.${id.split(".").at(-1)}`
  return Effect.fail(new WrongUsage({ message }))
}

const doubleOf = (names: ReadonlyArray<string>) => names.find((name, at) => names.indexOf(name) !== at)

/** Whether what is stored under a type is what the type says: live, an append sees to it. */
const fitsOf = (types: ReadonlyArray<EventType.EventType>): Rule => {
  const registry = EventType.registry(types)
  return make({
    id: "extension.fits",
    statement: "An event of a type that a rules module exports can be read as that type.",
    hint: "Write such events by EventType.draft, and give the type an upcast for what older versions of it wrote.",
    mode: "O",
    on: types.map(({ name }) => name),
    initial: undefined,
    step: (state, event) => {
      const type = registry.get(event.type)
      const read = type === undefined ? Result.succeed(undefined) : EventType.decode(type, event)
      return Result.isSuccess(read) ? state : new Broken(state, [read.failure])
    },
  })
}

/** What a module's author gives is typed where it is written; here it can only be looked at. */
const isRule = (value: unknown): value is Rule =>
  Predicate.hasProperty(value, "id") &&
  Predicate.isString(value.id) &&
  Predicate.hasProperty(value, "statement") &&
  Predicate.hasProperty(value, "sees") &&
  Predicate.hasProperty(value, "fold")

const isType = (value: unknown): value is EventType.EventType =>
  Predicate.hasProperty(value, "name") &&
  Predicate.hasProperty(value, "version") &&
  Predicate.hasProperty(value, "schema") &&
  Schema.isSchema(value.schema)

const faultOf = (value: unknown): string | undefined => {
  if (!isRule(value)) return undefined
  if (value.sees === "live") return "a rule of Rule.live, which a stored log is not enough for"
  return isId(value.id)
    ? undefined
    : `a rule whose id ${JSON.stringify(value.id)} has not the form group.name`
}
