/**
 * What the checks know of one source file, read by a real parser.
 *
 * In:  a path and its text.      Out: `Module`: every import however it is written, and the parsed program.
 * Fails with: a thrown error when the text does not parse.
 * Not here: what is allowed (the `check*.ts` beside this file).
 */
import { posix } from "node:path"
import { type Comment, type ParseResult, parseSync, Visitor, type VisitorObject } from "oxc-parser"

/** Paths from the root of the repository, with `/`, to their texts. */
export type Tree = ReadonlyMap<string, string>

/** What a fault can be a fault against; every one has a planted fault in `Faults.test.ts`. */
export const rules = [
  "room.known",
  "room.allowed",
  "room.outside",
  "room.oneFile",
  "room.visibility",
  "room.barrel",
  "import.target",
  "import.cycle",
  "door.known",
  "door.exports",
  "door.onlyExports",
  "door.reach",
  "door.complete",
  "size.file",
  "size.function",
  "size.room",
  "cast.any",
  "cast.double",
  "cast.nonNull",
  "comment.module",
  "comment.unfinished",
  "test.sleep",
  "text.machinePath",
  "effect.floating",
] as const
export type Rule = (typeof rules)[number]

export interface Fault {
  readonly rule: Rule
  readonly file: string
  /** 1-based; 0 when the fault lies in the file as a whole. */
  readonly line: number
  readonly message: string
}

export interface Import {
  readonly specifier: string
  readonly line: number
  /** The file it names, when it is a relative one. */
  readonly target: string | undefined
}

export interface Module {
  readonly path: string
  readonly text: string
  /** `tool` of `src/tool/Tool.ts`; undefined for entry points and for files outside `src`. */
  readonly room: string | undefined
  readonly imports: ReadonlyArray<Import>
  readonly program: ParseResult["program"]
  readonly comments: ReadonlyArray<Comment>
  readonly lineOf: (offset: number) => number
  /** The lines of a range that hold more than comment and space. */
  readonly codeLines: (start: number, end: number) => number
}

/** Walk a module's program. */
export const visit = (module: Module, visitor: VisitorObject): void =>
  new Visitor(visitor).visit(module.program)

const readImports = (path: string, program: ParseResult["program"], lineOf: (offset: number) => number) => {
  const found: Array<Import> = []
  const add = (source: { readonly start: number; readonly value?: unknown } | null) => {
    if (source === null) return
    const specifier = typeof source.value === "string" ? source.value : "(computed)"
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined
    found.push({ specifier, line: lineOf(source.start), target })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program)
  return found
}

const blank = (text: string, comments: ReadonlyArray<Comment>): string => {
  let result = ""
  let at = 0
  for (const comment of comments) {
    result += text.slice(at, comment.start) + text.slice(comment.start, comment.end).replace(/[^\n]/g, " ")
    at = comment.end
  }
  return result + text.slice(at)
}

/** Lines are looked up only when a fault or an import wants one, so their starts are found once, then. */
const lineIn = (text: string): ((offset: number) => number) => {
  let starts: Array<number> | undefined
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)]
    const after = starts.findIndex((start) => start > offset)
    return after < 0 ? starts.length : after
  }
}

/** Parse one file. */
export const read = (path: string, text: string): Module => {
  const { program, comments, errors } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const lineOf = lineIn(text)
  const code = blank(text, comments)
  return {
    path,
    text,
    room: /^src\/([^/]+)\//.exec(path)?.[1],
    imports: readImports(path, program, lineOf),
    program,
    comments,
    lineOf,
    codeLines: (start, end) =>
      code
        .slice(start, end)
        .split("\n")
        .filter((line) => line.trim() !== "").length,
  }
}
