/**
 * Every error class of `src`, as its source tells it.
 *
 * In:  nothing.      Out: tag, code, retry, docstring and fields of each, by room.
 * Fails with: an `Error` that names the file in which a class is not written as all others are.
 */
import { readdirSync, readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { Predicate } from "effect"

export interface ErrorClass {
  readonly room: string
  readonly tag: string
  /** One code, several to choose from, or none: then it is a field that carries a foreign code. */
  readonly codes: ReadonlyArray<string>
  readonly retry: string
  readonly says: string
  /** Beside message and cause. */
  readonly fields: ReadonlyArray<string>
}

const written =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+) extends HarnessError\.extend<\w+>\(\s*"\w+",?\s*\)\(\{([\s\S]*?)^\}\) \{([\s\S]*?)^\}/gm

const inherited: ReadonlySet<string> = new Set(["message", "cause", "_tag", "code"])

const fieldsOf = (module: unknown, tag: string): ReadonlyArray<string> => {
  const made: unknown = Predicate.hasProperty(module, tag) ? module[tag] : undefined
  if (!Predicate.hasProperty(made, "fields") || !Predicate.isObject(made.fields)) return []
  return Object.keys(made.fields).filter((name) => !inherited.has(name))
}

const readFile = async (path: string): Promise<ReadonlyArray<ErrorClass>> => {
  const text = readFileSync(`src/${path}`, "utf8")
  const classes = [...text.matchAll(written)]
  const wanted = text.split("extends HarnessError.extend").length - 1
  if (classes.length !== wanted)
    throw new Error(`src/${path}: ${classes.length} of ${wanted} classes can be read`)
  if (wanted === 0) return []
  const url = pathToFileURL(`src/${path}`).href
  const module: unknown = await import(url)
  return classes.map(([, doc = "", tag = "", given = "", body = ""]) => {
    const literals = /code: Schema\.Literals\(\[([\s\S]*?)\]\)/.exec(given)?.[1] ?? ""
    const one = /readonly code = "(\w+)"/.exec(body)?.[1]
    return {
      room: path.split("/", 1).join(),
      tag,
      codes: one === undefined ? [...literals.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code) : [one],
      retry: /readonly retry = "(\w+)"/.exec(body)?.[1] ?? "by its code",
      says: doc
        .replace(/^\s*\* ?/gm, " ")
        .replace(/\s+/g, " ")
        .trim(),
      fields: fieldsOf(module, tag),
    }
  })
}

export const readErrors = async (): Promise<ReadonlyArray<ErrorClass>> => {
  const paths = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts"))
    .sort()
  return (await Promise.all(paths.map(readFile))).flat()
}
