/**
 * Whether every Effect that a statement makes goes somewhere; one that is only made never runs.
 *
 * In:  modules.      Out: faults.
 * Not here: Effects that only their types give away, but for our own services under their usual names; promises
 *           (the linter's).
 */
import type { Expression, MemberExpression } from "oxc-parser"
import { type Fault, type Module, visit } from "./Module.ts"

/** Modules of effect whose functions return values that do nothing by themselves. */
const lazy = new Set(
  "Cache Console Deferred Effect Fiber FiberMap FiberSet Latch Layer PubSub Queue Ref Scope Semaphore Sink Stream SubscriptionRef SynchronizedRef".split(
    " ",
  ),
)

/** What our services are called where they are used, and which of their methods return an Effect. */
const services = new Set("agent runner session store writer".split(" "))
const effectful = new Set(
  "abort append compact create execute inject open prompt read send settle steer".split(" "),
)

const isServiceCall = ({ object, property }: MemberExpression): boolean => {
  if (property.type !== "Identifier" || !effectful.has(property.name)) return false
  if (object.type === "Identifier") return services.has(object.name)
  return (
    object.type === "MemberExpression" &&
    object.property.type === "Identifier" &&
    services.has(object.property.name)
  )
}

const runs = (name: string): boolean => name.startsWith("run") || name.endsWith("Unsafe")

interface Names {
  /** Local names of effect's lazy modules. */
  readonly modules: ReadonlySet<string>
  /** Functions of this file that evidently return an Effect. */
  readonly makers: ReadonlySet<string>
}

/** `Effect.log` as a member of a lazy module, when the name does not run it. */
const isLazyMember = (names: Names, node: Expression | null): boolean =>
  node?.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  names.modules.has(node.object.name) &&
  node.property.type === "Identifier" &&
  !runs(node.property.name)

const isLazyCall = (names: Names, node: Expression): boolean => {
  if (node.type !== "CallExpression") return false
  const { callee } = node
  if (isLazyMember(names, callee)) return true
  if (callee.type === "CallExpression") return isLazyCall(names, callee)
  if (callee.type === "Identifier") return names.makers.has(callee.name)
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false
  if (callee.property.name !== "pipe") return isServiceCall(callee)
  const last = node.arguments.at(-1)
  if (last === undefined || last.type === "SpreadElement") return isLazyCall(names, callee.object)
  return isLazyMember(names, last.type === "CallExpression" ? last.callee : last)
}

/** Tell whether an expression, thrown away, throws away an Effect. */
const dropsEffect = (names: Names, node: Expression): boolean => {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "ChainExpression":
      return dropsEffect(names, node.expression)
    case "UnaryExpression":
      return node.operator === "void" && dropsEffect(names, node.argument)
    case "LogicalExpression":
      return dropsEffect(names, node.right)
    case "ConditionalExpression":
      return dropsEffect(names, node.consequent) || dropsEffect(names, node.alternate)
    case "SequenceExpression":
      return node.expressions.some((expression) => dropsEffect(names, expression))
    case "AwaitExpression":
      return dropsEffect(names, node.argument)
    case "YieldExpression":
      return !node.delegate && node.argument !== null && dropsEffect(names, node.argument)
    default:
      return isLazyMember(names, node) || isLazyCall(names, node)
  }
}

const readNames = (module: Module): Names => {
  const modules = new Set<string>()
  const makers = new Set<string>()
  const names = { modules, makers }
  visit(module, {
    ImportDeclaration: (node) => {
      const file = /^effect\/([A-Z]\w*)$/.exec(node.source.value)?.[1]
      for (const specifier of node.specifiers) {
        const imported =
          specifier.type === "ImportSpecifier" && specifier.imported.type === "Identifier"
            ? specifier.imported.name
            : file
        const isOurs = node.source.value === "effect" || file !== undefined
        if (isOurs && imported !== undefined && lazy.has(imported)) modules.add(specifier.local.name)
      }
    },
  })
  for (const statement of module.program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type !== "VariableDeclaration") continue
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier" || init === null) continue
      const isMaker =
        init.type === "ArrowFunctionExpression"
          ? init.body.type !== "BlockStatement" && isLazyCall(names, init.body)
          : isEffectFn(names, init)
      if (isMaker) makers.add(id.name)
    }
  }
  return names
}

/** `Effect.fn("name")(function* …)`, `Effect.fnUntraced(function* …)`. */
const isEffectFn = (names: Names, node: Expression): boolean => {
  if (node.type !== "CallExpression") return false
  if (node.callee.type === "CallExpression") return isEffectFn(names, node.callee)
  return (
    isLazyMember(names, node.callee) &&
    node.callee.type === "MemberExpression" &&
    node.callee.property.type === "Identifier" &&
    node.callee.property.name.startsWith("fn")
  )
}

/** Check for Effects that are made and dropped. */
export const checkEffects = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) => {
    const names = readNames(module)
    const faults: Array<Fault> = []
    visit(module, {
      ExpressionStatement: ({ expression, start }) => {
        if (!dropsEffect(names, expression)) return
        faults.push({
          rule: "effect.floating",
          file: module.path,
          line: module.lineOf(start),
          message: "makes an Effect that nothing runs",
        })
      },
    })
    return faults
  })
