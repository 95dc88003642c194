/**
 * The lines about arguments, for whoever can make a checker of a spec.
 *
 * In:  how to load a package; what it gives makes of a spec `accept`, and `violations`, which counts them.
 * Shape: the specs of `inputs/args.ts`; `define` walks them, with one way to say each kind.
 */

const repeated = (once) => ({
  kind: "repeated",
  run: (times) => {
    for (let time = 0; time < times; time++) once()
  },
})

const accepts =
  (load, size, from) =>
  async ({ args }) => {
    const { spec, text, value } = args[size]
    const { accept } = (await load())(spec)
    return repeated(() => {
      if (!accept(from === "text" ? JSON.parse(text) : value)) throw new Error("refused")
    })
  }

const refuses =
  (load, size) =>
  async ({ args }) => {
    const { invalid, spec } = args[size]
    const { violations } = (await load())(spec)
    return repeated(() => {
      if (violations(invalid) !== 3) throw new Error(`${violations(invalid)} violations`)
    })
  }

const firstUse =
  (load) =>
  async ({ args, coldSpecs }) => {
    const compile = await load()
    const next = coldSpecs()
    return repeated(() => {
      if (!compile(next()).accept(JSON.parse(args.ten.text))) throw new Error("refused")
    })
  }

/** From text, from an object, what is refused, and the first use. */
export const decoding = (load) => ({
  "decode/small/text": accepts(load, "small", "text"),
  "decode/ten/text": accepts(load, "ten", "text"),
  "decode/sixty/text": accepts(load, "sixty", "text"),
  "decode/ten/object": accepts(load, "ten", "object"),
  "decode/sixty/object": accepts(load, "sixty", "object"),
  "decode/ten/invalid": refuses(load, "ten"),
  "decode/sixty/invalid": refuses(load, "sixty"),
  "cold/ten": firstUse(load),
})

/** Say a spec in another language: `ways` has a function for each kind, and `object` takes fields and who is optional. */
export const define = (ways, spec) => {
  if (spec.oneOf !== undefined) return ways.union(spec.oneOf.map((branch) => define(ways, branch)))
  if (spec.const !== undefined) return ways.constant(spec.const)
  if (spec.enum !== undefined) return ways.choice(spec.enum)
  if (spec.type === "array") return ways.list(define(ways, spec.items))
  if (spec.type === "object") return defineObject(ways, spec.properties)
  return ways[spec.type](spec)
}

export const defineObject = (ways, properties) =>
  ways.object(
    Object.entries(properties).map(([name, spec]) => [name, define(ways, spec), spec.required === true]),
  )
