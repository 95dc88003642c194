/**
 * Import modules of effect where the sources import from all of effect.
 *
 * `import { Effect, Schema } from "effect"` loads 247 files in Node, of which a program uses some; `effect/Effect` and
 * `effect/Schema` are the same modules, alone.
 *
 * In:  a parsed module.      Out: the edits of its text.
 * Fails with: a thrown error for a name that is no module, such as `pipe`.
 * Source: docs/adr/0021.
 */
import { readFileSync } from "node:fs"

const { exports } = JSON.parse(readFileSync("node_modules/effect/package.json", "utf8"))

/** `effect`, `effect/cli`, …: what stands for many modules. */
const barrels = new Set(
  Object.entries(exports)
    .filter(([, file]) => file?.endsWith("/index.js"))
    .map(([name]) => `effect${name.slice(1)}`),
)

export const importModules = ({ body }) =>
  body
    .filter(
      ({ type, importKind, source }) =>
        type === "ImportDeclaration" && importKind !== "type" && barrels.has(source.value),
    )
    .map(({ start, end, source, specifiers }) => ({
      start,
      end,
      text: specifiers
        .filter(({ importKind }) => importKind !== "type")
        .map((specifier) => importModule(source.value, specifier))
        .join("; "),
    }))

const importModule = (barrel, { imported, local }) => {
  if (!/^[A-Z]/.test(imported?.name ?? "")) throw new Error(`no module of ${barrel}: ${local.name}`)
  return `import * as ${local.name} from "${barrel}/${imported.name}"`
}
