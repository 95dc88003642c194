/**
 * Whether files have the size and the manners that make them easy to read.
 *
 * In:  modules.      Out: faults.
 * Source: AGENTS.md.
 */
import { type Fault, type Module, type Rule, visit } from "./Module.ts"

/** Units: lines that hold code; files for a room. */
export const limits = { file: 300, function: 80, room: 14 } as const

const isSource = (module: Module): boolean => module.path.startsWith("src/")

const at =
  (module: Module) =>
  (rule: Rule, start: number, message: string): Fault => ({
    rule,
    file: module.path,
    line: module.lineOf(start),
    message,
  })

/** Check the sizes of files, functions and rooms. */
export const checkSizes = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const files = new Map<string, Array<string>>()
  for (const module of modules.filter(isSource)) {
    const fault = at(module)
    const size = module.codeLines(0, module.text.length)
    if (size > limits.file)
      faults.push(fault("size.file", 0, `${size} lines of code, ${limits.file} at the most`))
    const measure = (node: { readonly start: number; readonly end: number }) => {
      const lines = module.codeLines(node.start, node.end)
      if (lines > limits.function) {
        faults.push(
          fault("size.function", node.start, `${lines} lines of code, ${limits.function} at the most`),
        )
      }
    }
    visit(module, {
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    })
    if (module.room !== undefined) files.set(module.room, [...(files.get(module.room) ?? []), module.path])
  }
  for (const [room, paths] of files) {
    if (paths.length > limits.room) {
      const message = `${paths.length} files, ${limits.room} at the most`
      faults.push({ rule: "size.room", file: `src/${room}`, line: 0, message })
    }
  }
  return faults
}

/** Check that no cast and no `!` silences the types. */
export const checkCasts = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) => {
    const faults: Array<Fault> = []
    const fault = at(module)
    const casts = (node: {
      readonly start: number
      readonly typeAnnotation: { readonly type: string }
      readonly expression: { readonly type: string; readonly typeAnnotation?: unknown }
    }) => {
      if (node.typeAnnotation.type === "TSAnyKeyword")
        faults.push(fault("cast.any", node.start, "a cast to any"))
      if (/^TS(As|TypeAssertion)/.test(node.expression.type) && !isConst(node.expression)) {
        faults.push(fault("cast.double", node.start, "a cast of a cast"))
      }
    }
    visit(module, {
      TSAsExpression: casts,
      TSTypeAssertion: casts,
      TSNonNullExpression: (node) => {
        faults.push(fault("cast.nonNull", node.start, "a non-null assertion"))
      },
    })
    return faults
  })

const isConst = (cast: { readonly typeAnnotation?: unknown }): boolean =>
  JSON.stringify(cast.typeAnnotation ?? null).includes('"name":"const"')

/** Check that a module of `src` begins by saying what it is, and that no comment leaves work behind. */
export const checkComments = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) => {
    const fault = at(module)
    const first = module.comments[0]
    const begins = first?.start === 0 && first.type === "Block" && /^\*\n \* \S/.test(first.value)
    return [
      ...(isSource(module) && !begins
        ? [fault("comment.module", 0, "a module begins with a comment that says what it is")]
        : []),
      ...module.comments
        .filter((comment) => /\b(TODO|FIXME|XXX|HACK)\b/.test(comment.value))
        .map((comment) => fault("comment.unfinished", comment.start, "unfinished work in a comment")),
    ]
  })

const machinePath = /(?<![\w.~-])\/(?:work|home\/\w+|Users\/\w+|root)\/\w/g

/** Check that no text holds a path of somebody's machine. */
export const checkPaths = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) =>
    [...module.text.matchAll(machinePath)].map((match) =>
      at(module)("text.machinePath", match.index, `the path ${match[0]}…`),
    ),
  )
