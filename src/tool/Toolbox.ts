/**
 * The tools that a model may call, by name.
 *
 * In:  tools.      Out: a `Toolbox`, which needs what its tools need.
 * Fails with: a `TypeError` when two tools share a name or something is no tool, thrown where the box is made.
 * Not here: running a call (`ToolRunner.ts`).
 */
import { Effect, Layer, Predicate, type Schema, type Scope } from "effect"
import { checkName, say } from "./checked.ts"
import * as Tool from "./Tool.ts"

/** What the model is told of a tool, and what the log keeps of it. */
export interface Description {
  readonly name: string
  readonly description: string
  readonly parameters: Schema.JsonObject
  readonly fingerprint: string
  /** The schema that marks what is sensitive, where `parameters` no longer does. The model is not told. */
  readonly sensitive?: Schema.JsonObject
}

/** A tool whose arguments, output and errors nobody needs to know. */
export type Entry<R> = Tool.Tool<string, never, unknown, unknown, R>

export interface Toolbox<out R> {
  readonly tools: ReadonlyMap<string, Entry<R>>
  /** In the order given. */
  readonly descriptions: ReadonlyArray<Description>
}

/** Put something around every tool: `Toolbox.map(box, Tool.timeout("1 minute"))`. A name may change, but stay unique. */
export const map = <R, R2>(toolbox: Toolbox<R>, f: (tool: Entry<R>) => Entry<R2>): Toolbox<R2> =>
  fromEntries([...toolbox.tools.values()].map(f))

/** Build a layer once and give its services to every tool; they live as long as the scope. */
export const provide = <R, ROut, E, RIn>(
  toolbox: Toolbox<R>,
  layer: Layer.Layer<ROut, E, RIn>,
): Effect.Effect<Toolbox<Exclude<R, ROut>>, E, RIn | Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => map(toolbox, Tool.provide(context)))

const fromEntries = <R>(entries: ReadonlyArray<Entry<R>>): Toolbox<R> => {
  const tools = new Map<string, Entry<R>>()
  for (const entry of entries) {
    if (!Predicate.hasProperty(entry, "prepare"))
      throw new TypeError(`A toolbox is made of tools, got ${say(entry)}: write Toolbox.make(first, second).`)
    checkName(entry.name)
    if (tools.has(entry.name))
      throw new TypeError(`Two tools are named ${JSON.stringify(entry.name)}; names must differ.`)
    tools.set(entry.name, entry)
  }
  const descriptions = entries.map(({ name, description, parameters, fingerprint, sensitive }) => ({
    name,
    description,
    parameters,
    fingerprint,
    ...(sensitive === undefined ? {} : { sensitive }),
  }))
  return { tools, descriptions }
}

/** Put tools together; they may need different services. */
export function make<const Tools extends ReadonlyArray<Tool.Any>>(
  ...tools: Tools
): Toolbox<Tool.Services<Tools[number]>>
export function make(...tools: ReadonlyArray<Entry<unknown>>): Toolbox<unknown> {
  return fromEntries(tools)
}

export const empty: Toolbox<never> = fromEntries<never>([])

/** Join two boxes; a name in both is refused. */
export const concat = <R1, R2>(left: Toolbox<R1>, right: Toolbox<R2>): Toolbox<R1 | R2> =>
  fromEntries<R1 | R2>([...left.tools.values(), ...right.tools.values()])
