/**
 * Whether a test waits for the wall clock: by a timer, or by an Effect whose clock nobody turns.
 *
 * In:  modules.      Out: faults, one for every place where something that waits is named, called or not.
 * Not here: names that are put together while a test runs; waits inside what a test calls; an Effect that another file
 *           makes runs under the clock of the test that runs it, which is seen only where it is made.
 */
import type {
  DoWhileStatement,
  Expression,
  ForStatement,
  MemberExpression,
  ModuleExportName,
  WhileStatement,
} from "oxc-parser"
import { type Fault, type Module, visit } from "./Module.ts"

/** What waits in any test for the wall clock. */
const timers = new Set(
  [
    "setTimeout setInterval AbortSignal.timeout Atomics.wait Atomics.waitAsync scheduler.wait",
    "vi.waitFor vi.waitUntil expect.poll Bun.sleep Bun.sleepSync",
  ].flatMap((names) => names.split(" ")),
)
/** Enough as a text as well: `globalThis[name]` is called under it. */
const timerName = /^set(Timeout|Interval)$/
const startsProcess = /(^|\.)(exec|spawn)(File)?(Sync)?$/
const sleepCommand = /^(timeout \S+ )?sleep\b/
const readsClock = /\b(Date|performance)\.now\(|\bhrtime\b/
const timerModule = /^(node:)?timers(\/promises)?$/

/** What waits for the clock of the program. */
const sleeps = new Map<string, ReadonlySet<string>>(
  Object.entries({
    Effect: "delay sleep timeout timeoutOption timeoutOrElse",
    Schedule: "addDelay cron duration exponential fibonacci fixed modifyDelay spaced windowed",
    Stream: "debounce groupedWithin throttle throttleEffect tick timeout timeoutOrElse",
  }).map(([of, names]) => [of, new Set(names.split(" "))]),
)

/** Who turns that clock, by the names under which they are exported. */
const turners = new Set(["TestClock", "TestHarness", "Explore", "Machine"])

/**
 * Files that may sleep: processes that are stopped and killed at moments that nobody chose, in the midst of what they do
 * to one folder. Nobody is there to move their clock, and there is no event to wait for.
 */
const fights = new Set(["test/store/fight.test.ts", "test/store/fighter.ts"])

interface Names {
  /** Local names of effect's modules that can wait, and what they are. */
  readonly modules: ReadonlyMap<string, string>
  /** Local names of single functions that wait, as `Effect.sleep`. */
  readonly functions: Map<string, string>
  /** Whether somebody who turns the clock is imported. */
  readonly isVirtual: boolean
}

const fileOf = (specifier: string): string => /(\w+)(\.ts)?$/.exec(specifier)?.[1] ?? ""

const exportName = (name: ModuleExportName): string => (name.type === "Literal" ? name.value : name.name)

const readNames = (module: Module): Names => {
  const modules = new Map([...sleeps.keys()].map((name) => [name, name]))
  const functions = new Map<string, string>()
  let isVirtual = false
  visit(module, {
    ImportDeclaration: ({ importKind, source, specifiers }) => {
      const from = fileOf(source.value)
      for (const specifier of specifiers) {
        const local = specifier.local.name
        const isPart = specifier.type === "ImportSpecifier"
        const imported = isPart ? exportName(specifier.imported) : from
        if (turners.has(imported) && importKind !== "type") isVirtual = true
        if (!/^effect(\/|$)/.test(source.value)) continue
        if (sleeps.has(imported)) modules.set(local, imported)
        else if (isPart && sleeps.get(from)?.has(imported)) functions.set(local, `${from}.${imported}`)
      }
    },
  })
  return { modules, functions, isVirtual }
}

const propertyOf = ({ computed, property }: MemberExpression): string | undefined => {
  if (property.type === "Literal") return String(property.value)
  return property.type === "Identifier" && !computed ? property.name : undefined
}

/** `Effect.sleep`, `E.sleep` and `globalThis.setTimeout` by one name each. */
const nameOf = ({ modules }: Pick<Names, "modules">, node: Expression): string | undefined => {
  if (node.type === "Identifier") return modules.get(node.name) ?? node.name
  if (node.type !== "MemberExpression") return undefined
  const of = nameOf({ modules }, node.object)
  const property = propertyOf(node)
  return of === undefined || of === "globalThis" ? property : `${of}.${property}`
}

const waits = (name: string): boolean => {
  const [of = "", property = ""] = name.split(".")
  return sleeps.get(of)?.has(property) ?? false
}

/** Calls whose arguments run by the wall clock, unless they bring a clock along. */
const givesLive = /^(it|test)\.live\b|\bwithLive$|^Effect\.run[A-Z]/

interface Range {
  readonly start: number
  readonly end: number
}

type Loop = Pick<WhileStatement | DoWhileStatement | ForStatement, "body" | "start" | "test">

interface Named {
  readonly name: string
  readonly start: number
}

/** Everything in a module that waits, or that gives the live clock. */
const readWaits = (module: Module, names: Names) => {
  const timed: Array<Named> = []
  const slept: Array<Named> = []
  const live: Array<Range> = []
  // What is only the name of a property or of an import is no use of what has that name elsewhere.
  const passed = new Set<number>()
  const see = (name: string | undefined, start: number): void => {
    if (name === undefined) return
    if (timers.has(name)) timed.push({ name, start })
    if (waits(name)) slept.push({ name, start })
  }
  /** A loop that does nothing until a clock says so. */
  const spin = ({ body, start, test }: Loop): void => {
    const isEmpty =
      body.type === "EmptyStatement" || (body.type === "BlockStatement" && body.body.length === 0)
    if (isEmpty && test !== null && readsClock.test(module.text.slice(test.start, test.end)))
      timed.push({ name: "a loop", start })
  }
  visit(module, {
    ImportSpecifier: ({ imported, local }) => void passed.add(imported.start).add(local.start),
    MemberExpression: (node) => {
      if (!node.computed || node.property.type === "Literal") passed.add(node.property.start)
      see(nameOf(names, node), node.start)
    },
    // `const { sleep } = Effect`
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== "ObjectPattern" || init === null) return
      const of = nameOf(names, init)
      for (const part of id.properties) {
        if (part.type === "Property" && part.key.type === "Identifier")
          see(of === "globalThis" ? part.key.name : `${of}.${part.key.name}`, part.start)
      }
    },
    Property: ({ key, shorthand }) => {
      if (!shorthand) passed.add(key.start)
    },
    TSTypeQuery: ({ exprName }) => void passed.add(exprName.start),
    Identifier: ({ name, start }) => {
      if (passed.has(start)) return
      see(names.functions.get(name) ?? (timers.has(name) ? name : undefined), start)
    },
    // However a module of timers is had: by `import`, `require` or `getBuiltinModule`.
    Literal: ({ start, value }) => {
      if (typeof value !== "string" || passed.has(start)) return
      if (timerModule.test(value) || timerName.test(value)) timed.push({ name: value, start })
    },
    WhileStatement: spin,
    DoWhileStatement: spin,
    ForStatement: spin,
    CallExpression: ({ callee, arguments: [first], end, start }) => {
      const isCommand = first?.type === "Literal" && sleepCommand.test(String(first.value))
      if (isCommand && startsProcess.test(nameOf(names, callee) ?? "")) timed.push({ name: "sleep", start })
      if (givesLive.test(nameOf(names, callee) ?? "")) live.push({ start, end })
    },
  })
  return { timed, slept, live }
}

/** Check that no test waits for the wall clock: not by a timer, and by an Effect only under a virtual clock. */
export const checkSleeps = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) => {
    if (!module.path.startsWith("test/")) return []
    const names = readNames(module)
    const { live, slept, timed } = readWaits(module, names)
    const at = ({ name, start }: Named, how: string): Fault => ({
      rule: "test.sleep",
      file: module.path,
      line: module.lineOf(start),
      message: `waits with ${name}${how}`,
    })
    const isLive = ({ start }: Named): boolean =>
      live.some((range) => range.start < start && start < range.end)
    return [
      ...timed.map((one) => at(one, "")),
      ...(fights.has(module.path) ? [] : slept).flatMap((one) => {
        if (!names.isVirtual) return [at(one, " without a TestClock")]
        return isLive(one) ? [at(one, " under the live clock")] : []
      }),
    ]
  })
