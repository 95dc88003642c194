/**
 * Bundle the entry points of the library, and the command line that shares its modules with the user's.
 *
 *   index.js, testing.js, …   what package.json exports
 *   core.js                   all modules that `index.js` reaches
 *   bin/shared.js             the command line; one more entry, so that it gets the same modules
 *   chunk/                    what else more than one of them reaches, and the commands
 *
 * Other packages stay outside, as peers do.
 * Source: docs/adr/0021, why one file; docs/adr/0007, why the command line is among them.
 */
import { readdirSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { parseSync } from "oxc-parser"
import { rolldown } from "rolldown"
import { importModules } from "./importModules.js"
import { markPure } from "./markPure.js"

const sources = resolve("src")

const doors = Object.fromEntries(
  readdirSync("src")
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replace(/\.ts$/, ""), resolve("src", file)]),
)

const editSources = {
  name: "edit-sources",
  transform(code, id, { magicString }) {
    if (!id.startsWith(sources)) return undefined
    const { program } = parseSync(id, code)
    for (const { start, end, text } of [...importModules(program), ...markPure(program)]) {
      if (start === end) magicString.appendLeft(start, text)
      else magicString.update(start, end, text)
    }
    return { code: magicString }
  },
}

/** A module, all that it imports as it is loaded, and what that imports. */
const reach = (start, modules) => {
  const found = new Set([start])
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

export const buildLibrary = async (out) => {
  let core
  const bundle = await rolldown({
    input: { ...doors, "bin/shared": resolve("src/cli/main.ts") },
    platform: "node",
    // The command line alone brings a package of its own.
    external: (id) => !isAbsolute(id) && !/^(\.|@effect\/platform-node)/.test(id),
    experimental: { nativeMagicString: true },
    checks: { bundlerTimings: false },
    treeshake: { moduleSideEffects: false },
    plugins: [editSources],
  })
  await bundle.write({
    dir: out,
    sourcemap: true,
    sourcemapExcludeSources: true,
    minifyInternalExports: false,
    chunkFileNames: ({ name }) => (name === "core" ? "core.js" : "chunk/[name].js"),
    codeSplitting: {
      groups: [
        {
          debugName: "core",
          name: (id, modules) => {
            core ??= reach(doors.index, modules)
            return core.has(id) ? "core" : null
          },
        },
      ],
    },
  })
  await bundle.close()
}
