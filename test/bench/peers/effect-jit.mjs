/** Effect Schema, with its compiler turned on. */
import { decoding } from "./decoding.js"
import { loadSchemas } from "./schemas.js"

const load = async () => {
  await import("effect/schema/SchemaJITCompiler/enable")
  return loadSchemas()
}

export const peer = { name: "effect-jit", packages: ["effect"], works: decoding(load) }
