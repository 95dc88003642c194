/** ajv: JSON Schema, compiled; all errors collected. */

const schemaOf = (spec) => {
  if (spec.oneOf) return { oneOf: spec.oneOf.map(schemaOf) }
  if (spec.const !== undefined) return { const: spec.const }
  const { applyDefault: _, items, properties, required: __, ...rest } = spec
  return {
    ...rest,
    ...(items && { items: schemaOf(items) }),
    ...(properties && objectOf(properties)),
  }
}

const objectOf = (properties) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, schemaOf(one)])),
  required: Object.keys(properties).filter((name) => properties[name].required),
})

const compile = async (spec) => {
  const { Ajv } = await import("ajv")
  return new Ajv({ allErrors: true }).compile(objectOf(spec))
}

const repeated = (once) => ({
  kind: "repeated",
  run: (times) => {
    for (let time = 0; time < times; time++) once()
  },
})

const accepts =
  (size, from) =>
  async ({ args }) => {
    const { spec, text, value } = args[size]
    const validate = await compile(spec)
    return repeated(() => {
      if (!validate(from === "text" ? JSON.parse(text) : value)) throw new Error("refused")
    })
  }

const refuses =
  (size) =>
  async ({ args }) => {
    const { invalid, spec } = args[size]
    const validate = await compile(spec)
    return repeated(() => {
      if (validate(invalid) || validate.errors.length !== 3) throw new Error("taken")
    })
  }

export const peer = {
  name: "ajv",
  packages: ["ajv"],
  works: {
    "decode/small/text": accepts("small", "text"),
    "decode/ten/text": accepts("ten", "text"),
    "decode/sixty/text": accepts("sixty", "text"),
    "decode/ten/object": accepts("ten", "object"),
    "decode/sixty/object": accepts("sixty", "object"),
    "decode/ten/invalid": refuses("ten"),
    "decode/sixty/invalid": refuses("sixty"),
  },
}
