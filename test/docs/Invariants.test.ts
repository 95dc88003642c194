/** docs/reference/invariants.md is the table of rules, with a picture of what each group guards. */
import { describe, expect, it } from "vitest"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"
import { diagrams, toMermaid } from "../../src/rulebook/Diagrams.ts"
import { partOf, partsOf, table } from "./Generated.ts"

const path = "docs/reference/invariants.md"
const rules = [...logRules, ...liveRules]
const drawn = (group: string): ReadonlyArray<string> => {
  const diagram = diagrams[group]
  if (diagram === undefined) return []
  return [`The states of ${diagram.of}:`, `\`\`\`mermaid\n${toMermaid(diagram)}\n\`\`\``]
}

const groupOf = (id: string) => id.split(".", 1).join()

describe("the page of invariants", () => {
  it("has every rule of every group, and no other", () => {
    const groups = [...new Set(rules.map(({ id }) => groupOf(id)))]
    expect([...partsOf(path)].sort()).toEqual([...groups].sort())
    for (const group of groups) {
      const rows = rules
        .filter(({ id }) => groupOf(id) === group)
        .map(({ id, mode, sees, statement, hint }) => [
          `\`${id}\``,
          sees === "live" ? `${mode} live` : mode,
          statement,
          hint,
        ])
      const rulesOfGroup = table(["rule", "mode", "what holds", "when it does not"], rows)
      const wanted = [rulesOfGroup, ...drawn(group)].join("\n\n")
      expect(partOf(path, group, wanted)).toBe(wanted)
    }
  })

  it("has a rule once", () => {
    const ids = rules.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })
})
