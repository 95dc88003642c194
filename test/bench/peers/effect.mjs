/** Effect Schema, interpreted. */
import { decoding } from "./decoding.js"
import { loadSchemas } from "./schemas.js"

export const peer = { name: "effect", packages: ["effect"], works: decoding(loadSchemas) }
