/**
 * The tool `search_text`: the lines of the workspace's files that hold a text or match a regular expression.
 *
 * In:  a query, where to look, how.      Out: `file:line:text` as grep writes it, sorted, and what was left out.
 * Fails with: `FileError` for the path, `PatternInvalid`, `PatternTooSlow`, `ArgumentOutOfRange`.
 * Not here: which files there are (`walk.ts`), how a pattern is stopped (`node.ts`).
 *
 * A query is plain text unless the model asks for a regular expression: most are, and plain text cannot be wrong.
 */
import { Clock, Effect, type FileSystem, Path, RegExp as Patterns } from "effect"
import * as Beginning from "../error/Beginning.ts"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { type Matcher, matcher } from "./node.ts"
import { cutAt } from "./ReadFile.ts"
import { checkRange, type FileError, type Location, PatternInvalid, PatternTooSlow } from "./ToolkitError.ts"
import * as textFile from "./textFile.ts"
import { Workspace } from "./Workspace.ts"
import { compile, noticeOf, skippedFolders, walk } from "./walk.ts"

/** Units: UTF-16 code units. Nothing stops the reading of a pattern of megabytes, which takes many seconds. */
export const maxQueryLength = 1000

/** Matching lines given at most. */
export const maxMatches = 200

/** Lines of context on each side at most. */
export const maxContext = 10

/** Units: UTF-16 code units. A longer line is cut. */
export const maxLineChars = 500

/** Units: bytes. Larger files are skipped. */
export const maxFileBytes = 4 * 1024 * 1024

/** Units: milliseconds. A search stops here and gives what it has. */
export const maxSearchMillis = 10_000

/** Units: milliseconds. A pattern may need this long for one file; the process waits for it. */
export const maxPatternMillis = 1000

export const searchText = defineTool({
  name: "search_text",
  description:
    "Find lines in the text files of the workspace. Gives path:line:text, at most " +
    `${maxMatches} matching lines. ${skippedFolders.join(", ")} are skipped unless the path or the glob names them.`,
  parameters: {
    query: {
      type: "string",
      required: true,
      description: "Text to find on a line, or a regular expression with regex: true.",
    },
    regex: {
      type: "boolean",
      description: "Read the query as a JavaScript regular expression. Default false.",
    },
    ignore_case: { type: "boolean", description: "Default false." },
    path: {
      type: "string",
      description: "File or folder to search, relative to the workspace. Default: all of it.",
    },
    glob: { type: "string", description: 'Only files that match, such as "*.ts" or "src/**/*.md".' },
    context: {
      type: "integer",
      description: `Lines to show before and after each match, at most ${maxContext}. Default 0.`,
    },
  },
  idempotent: true,
  resources: ({ path = "." }) => ({ reads: [Resources.folder(path)] }),
  run: ({ query, regex = false, ignore_case = false, path = ".", glob = "**", context = 0 }) =>
    Effect.gen(function* () {
      yield* checkRange("context", context, 0, maxContext)
      const match = yield* compileQuery(query, regex, ignore_case)
      const workspace = yield* Workspace
      const scope = yield* scopeOf(yield* workspace.resolve(path), glob)
      return yield* search(scope, { query, match, around: context })
    }),
})

interface Scope {
  readonly files: ReadonlyArray<Location>
  /** True when the walk gave up early. */
  readonly isPartial: boolean
  /** How many folders could not be read. */
  readonly unreadable: number
  /** True when the model named one file: what is wrong with it is then an error, not a file to skip. */
  readonly isOneFile: boolean
}

interface Search {
  readonly query: string
  readonly match: Matcher
  readonly around: number
}

const compileQuery = (
  query: string,
  isRegex: boolean,
  ignoreCase: boolean,
): Effect.Effect<Matcher, PatternInvalid> => {
  if (query === "")
    return new PatternInvalid({ pattern: query, message: "The query is empty. Give a text to find." })
  if (query.length > maxQueryLength) {
    const message = `The query has ${query.length} characters; at most ${maxQueryLength} are allowed. Give a shorter one.`
    return new PatternInvalid({ pattern: Beginning.of(query, 100), message })
  }
  const flags = ignoreCase ? "i" : ""
  const source = isRegex ? query : Patterns.escape(query)
  return Effect.try(() => new RegExp(source, `u${flags}`)).pipe(
    // Models write `() {` and `\-`, which only the older grammar takes.
    Effect.catch(() =>
      Effect.try({ try: () => new RegExp(source, flags), catch: (error) => invalid(query, error) }),
    ),
    Effect.map(matcher),
  )
}

const invalid = (pattern: string, error: unknown): PatternInvalid => {
  const why = error instanceof Error ? error.message : String(error)
  const message = `${why}. Correct the pattern, or leave out regex to find it as plain text.`
  return new PatternInvalid({ pattern, message })
}

const scopeOf = Effect.fnUntraced(function* (at: Location, glob: string) {
  const file = yield* Effect.catchTag(textFile.statRegular(at), "PathIsFolder", () =>
    Effect.succeed(undefined),
  )
  if (file === undefined) {
    const walked = yield* walk(at, glob)
    const files = walked.files.filter((found) => found.isRegular)
    return { ...walked, files, isOneFile: false } satisfies Scope
  }
  const { basename } = yield* Path.Path
  const files = compile(glob)(basename(at.relative)) ? [at] : []
  return { files, isPartial: false, unreadable: 0, isOneFile: true } satisfies Scope
})

const search = Effect.fnUntraced(function* (
  { files, isPartial, unreadable, isOneFile }: Scope,
  { query, match, around }: Search,
) {
  const end = (yield* Clock.currentTimeMillis) + maxSearchMillis
  const out: Array<string> = []
  const notices: Array<string> = isPartial
    ? ["[There are too many files; not all were searched. Narrow the path.]"]
    : []
  notices.push(...noticeOf({ unreadable }))
  let matches = 0
  let searched = 0
  let skipped = 0
  for (const [index, file] of files.entries()) {
    const lines = yield* isOneFile ? readLines(file) : Effect.orElseSucceed(readLines(file), () => undefined)
    if (lines === undefined) {
      skipped++
      continue
    }
    const found = match(lines, maxMatches + 1 - matches, maxPatternMillis)
    if (found === undefined) {
      const message = `The pattern took more than ${maxPatternMillis} ms on ${file.relative}. Write it without nested repetition, or search for plain text.`
      return yield* new PatternTooSlow({ pattern: query, path: file.relative, message })
    }
    searched++
    matches += found.length
    out.push(...render(file, lines, found.slice(0, found.length - Math.max(0, matches - maxMatches)), around))
    if (matches > maxMatches) {
      notices.push(`[More than ${maxMatches} lines match. Narrow the query, the path or the glob.]`)
      break
    }
    if ((yield* Clock.currentTimeMillis) > end) {
      notices.push(
        `[Stopped after ${maxSearchMillis / 1000} s, ${index + 1} of ${files.length} files. Narrow the path or the glob.]`,
      )
      break
    }
  }
  if (matches === 0) notices.unshift(`[No line matches in ${searched} ${searched === 1 ? "file" : "files"}.]`)
  if (skipped > 0)
    notices.push(
      `[${skipped} ${skipped === 1 ? "file" : "files"} skipped: not text, too large or not readable.]`,
    )
  return [...out, ...notices].join("\n")
})

const readLines = (
  file: Location,
): Effect.Effect<ReadonlyArray<string>, FileError, FileSystem.FileSystem | Path.Path> =>
  Effect.map(textFile.read(file, maxFileBytes), ({ text }) => text.replace(/^\uFEFF/, "").split(/\r?\n/))

/** As grep: `:` around the number of a match, `-` around that of its context, `--` between groups. */
const render = (
  file: Location,
  lines: ReadonlyArray<string>,
  found: ReadonlyArray<number>,
  around: number,
): ReadonlyArray<string> => {
  const matching = new Set(found)
  const out: Array<string> = []
  let shown = -1
  for (const index of found) {
    const from = Math.max(shown + 1, index - around)
    if (around > 0 && from > shown + 1 && shown !== -1) out.push("--")
    const to = Math.min(lines.length - 1, index + around)
    for (let line = from; line <= to; line++) {
      const mark = matching.has(line) ? ":" : "-"
      out.push(`${file.relative}${mark}${line + 1}${mark}${cutLine(lines[line] ?? "")}`)
    }
    shown = Math.max(shown, to)
  }
  return out
}

const cutLine = (line: string): string =>
  line.length <= maxLineChars ? line : `${cutAt(line, maxLineChars)} [cut: ${line.length} characters]`
