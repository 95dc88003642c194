/**
 * Build the explored agent with a bug in it, beside the healthy one.
 *
 * In:  a plant, or none.      Out: `explore` of `world.ts`, over the changed sources.
 * Fails with: an error when the text that a plant changes does not stand in its file once.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build, type Plugin } from "esbuild"
import type { Edit, Plant } from "./plants.ts"
import type * as World from "./world.ts"

/** In here the packages of the project are found. */
const folder = resolve("node_modules/.cache/effect-harness")

export const plant = async (plant: Plant): Promise<typeof World> => {
  const built = await build({
    entryPoints: ["test/explore/world.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    write: false,
    logLevel: "silent",
    plugins: [replacing(plant)],
  })
  mkdirSync(folder, { recursive: true })
  const file = resolve(folder, `${process.pid}-${plant.name.replaceAll(" ", "-")}.mjs`)
  writeFileSync(file, built.outputFiles[0]?.text ?? "")
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(file)
  }
}

const replacing = ({ edits }: Plant): Plugin => ({
  name: "plant",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(".", path)
      const changes = edits[file]
      if (changes === undefined) return undefined
      const contents = changes.reduce((text, edit) => apply(file, text, edit), readFileSync(path, "utf8"))
      return { contents, loader: "ts" }
    })
  },
})

const apply = (file: string, text: string, [find, replacement]: Edit): string => {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file} holds ${parts.length - 1} times what a plant changes: ${find}`)
  return parts.join(replacement)
}
