/**
 * Read a JSON text that a person wrote, strictly, and say in one line what is wrong with it.
 *
 * In:  a schema and a text.      Out: the value, or the fault: where, what was wanted, what stands there.
 * Not here: what a model wrote (`spec/` words that for models).
 */
import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import * as Beginning from "../error/Beginning.ts"

type Parsed<A> = { readonly value: A } | { readonly fault: string }

export const parseJson = <A>(schema: Schema.Codec<A, unknown>, text: string): Parsed<A> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { fault: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(json)
  if (Result.isSuccess(decoded)) return { value: decoded.success }
  const [first, ...others] = format(decoded.failure.issue).issues
  if (first === undefined) return { fault: "is invalid" }
  const path = (first.path ?? []).map((key) => (typeof key === "object" ? key.key : key))
  const message = first.message.replace(/^Expected /, "expected ")
  const got = message.startsWith("expected ") ? `, got ${describe(valueAt(json, path))}` : ""
  const more = others.length > 0 ? ` (and ${others.length} more)` : ""
  return { fault: `${place(path)}: ${message}${got}${more}` }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is missing"
    if (issue._tag === "UnexpectedKey") return `unknown field; allowed: ${fieldsOf(issue.ast).join(", ")}`
    return SchemaIssue.defaultLeafHook(issue)
  },
})

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

const place = (path: ReadonlyArray<PropertyKey>): string =>
  path.length === 0
    ? "the whole"
    : path
        .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`))
        .join("")

const valueAt = (json: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    json,
  )

const describe = (value: unknown): string => {
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  return Beginning.shown(JSON.stringify(value) ?? "nothing", 40)
}
