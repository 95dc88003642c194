/**
 * What a careful programmer would write by hand for the arguments of `args.ts`: the floor of checking.
 */

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === "string"
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isMode = (value: unknown): boolean => value === "fast" || value === "exact" || value === "fuzzy"
const isOptional = (value: unknown): boolean => value === undefined || typeof value === "string"
const isRange = (value: unknown): boolean => isFields(value) && isWhole(value["from"]) && isWhole(value["to"])
const isLimit = (value: unknown): boolean => isWhole(value) && value >= 1 && value <= 100
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** Whether a value fits `args.ten`. */
export const handCheck = (value: unknown): boolean =>
  isFields(value) &&
  isText(value["path"]) &&
  value["path"] !== "" &&
  isText(value["query"]) &&
  isLimit(value["limit"]) &&
  Number.isFinite(value["ratio"]) &&
  typeof value["recursive"] === "boolean" &&
  isMode(value["mode"]) &&
  areTexts(value["tags"]) &&
  isRange(value["range"]) &&
  isOptional(value["author"]) &&
  isOptional(value["note"])

/** What is wrong with a value that does not fit `args.ten`, as plainly as it can be said. */
export const handViolations = (value: unknown): ReadonlyArray<string> => {
  if (!isFields(value)) return ["want object"]
  const found: Array<string> = []
  if (!isText(value["path"]) || value["path"] === "") found.push("path: want text")
  if (!isText(value["query"])) found.push("query: want text")
  if (!isLimit(value["limit"])) found.push("limit: want 1 to 100")
  if (!Number.isFinite(value["ratio"])) found.push("ratio: want number")
  if (typeof value["recursive"] !== "boolean") found.push("recursive: want boolean")
  if (!isMode(value["mode"])) found.push("mode: want fast, exact or fuzzy")
  if (!areTexts(value["tags"])) found.push("tags: want texts")
  if (!isRange(value["range"])) found.push("range: want from and to")
  if (!isOptional(value["author"])) found.push("author: want text")
  if (!isOptional(value["note"])) found.push("note: want text")
  return found
}

/** Whether a value fits the spec of a single call, `smallSpec`. */
export const isSmall = (
  value: unknown,
): value is { readonly path: string; readonly line: number; readonly column?: number } =>
  isFields(value) &&
  isText(value["path"]) &&
  isWhole(value["line"]) &&
  (value["column"] === undefined || isWhole(value["column"]))
