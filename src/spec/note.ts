/**
 * Find the keys of taken arguments that nothing reads, at once where the spec lets one look tell that there are none.
 *
 * In:  the place of a whole spec, then arguments that it took.      Out: a note for each key that it does not know.
 * Fails with: nothing.
 * Not here: what a note says (`kind/walkObject.ts`), which of them the model is told (`Leniency.ts`).
 *
 * Why: every call asks, and nearly none has such a key. That both ways tell alike: test/spec/note.prop.test.ts.
 */
import type { Violation } from "../error/Violation.ts"
import { collect, type Place } from "../kind/Place.ts"
import { isRecord } from "../kind/Words.ts"

type Note = (value: unknown) => ReadonlyArray<Violation>

export const noteBy = (root: Place): Note => {
  const { properties = {}, additionalProperties } = root.jsonSchema
  const everything: Note = (value) => collect(root, value, [], { noting: true })
  if (!isRecord(properties) || holdsObjects(properties) || isRecord(additionalProperties)) return everything
  const names = new Set(Object.keys(properties))
  return (value) => (isRecord(value) && hasOnly(value, names) ? none : everything(value))
}

const none: ReadonlyArray<Violation> = []

const hasOnly = (value: object, names: ReadonlySet<string>): boolean => {
  for (const key in value) if (!names.has(key)) return false
  return true
}

/** Only objects have keys that nobody knows; their type, and a reference to them, are words of the schema. */
const holdsObjects = (schema: unknown): boolean => {
  if (typeof schema === "string") return schema === "object"
  if (typeof schema !== "object" || schema === null) return false
  return Object.hasOwn(schema, "$ref") || Object.values(schema).some(holdsObjects)
}
