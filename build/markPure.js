/**
 * Mark each call that a module makes as it loads as one that can be left out when its result is not used.
 *
 * The sources promise it (`sideEffects: false`). Bundlers keep that promise for whole files only, and ours hold many
 * modules: without the marks, who uses one of them would get them all.
 *
 * In:  a parsed module.      Out: the edits of its text.
 * Source: docs/adr/0021.
 */
const mark = "/* @__PURE__ */ "

/** What stands inside is run later, or is there for what it does. */
const isLeftAlone = ({ type, static: isStatic }) =>
  /^(Function|ArrowFunction|ExpressionStatement|MethodDefinition|TS\w*(Type|Interface))/.test(type) ||
  (type === "PropertyDefinition" && !isStatic)

export const markPure = (program) => {
  const places = new Set()
  const walk = (node) => {
    if (isLeftAlone(node)) return
    if (node.type === "CallExpression" || node.type === "NewExpression") places.add(node.start)
    for (const child of Object.values(node).flat()) {
      if (typeof child?.type === "string") walk(child)
    }
  }
  program.body.forEach(walk)
  return [...places].map((start) => ({ start, end: start, text: mark }))
}
