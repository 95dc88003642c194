/**
 * Build `dist`: the library by tsc, one file a module with its types; the CLI by esbuild, twice.
 *
 *   dist/bin.js          says what never changes, else picks one of the two by its arguments
 *   dist/bin/alone.js    has effect and the library inside: starts fast
 *   dist/bin/shared.js   imports effect and `dist/` as a `--tools` or `--rules` module does, so that both share one copy
 *
 * Source: docs/adr/0007, why two; docs/adr/0019, how it starts.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { relative, resolve, sep } from "node:path"
import { build } from "esbuild"

process.chdir(import.meta.dirname)

/** Built beside `dist` and put in its place at the end: a build that fails leaves the last good one. */
const out = `dist.${process.pid}`
process.on("exit", () => rmSync(out, { recursive: true, force: true }))

const { status } = spawnSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", out],
  {
    stdio: "inherit",
  },
)
if (status !== 0) process.exit(1)

/** Optional peers of the user's choice; imported lazily, never bundled. */
const providers = ["@ai-sdk/*"]

const cli = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  outdir: `${out}/bin`,
  logLevel: "warning",
  // CommonJS packages inside the bundle (undici) call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"\nconst require = __createRequire(import.meta.url)',
  },
}

/** Leave the library's modules where tsc put them: src/room/X.ts becomes an import of dist/room/X.js. No module may come both ways. */
const libraryStaysOutside = {
  name: "library-stays-outside",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const module = relative("src", resolve(resolveDir, path)).split(sep).join("/")
      if (module.startsWith("../") || /^(cli|setup|terminal|verdict|repair)\//.test(module)) return undefined
      return { path: `../${module.replace(/\.ts$/, ".js")}`, external: true }
    })
  },
}

await Promise.all([
  build({
    ...cli,
    entryPoints: { alone: "src/cli/main.ts" },
    chunkNames: "alone-[hash]",
    external: providers,
  }),
  build({
    ...cli,
    entryPoints: { shared: "src/cli/main.ts" },
    chunkNames: "shared-[hash]",
    external: [...providers, "effect", "effect/*"],
    plugins: [libraryStaysOutside],
  }),
])

/** What the program says to these depends on nothing but its version, so it is asked here and not at every start. */
const answers = ["--version", "-v", "--help", "-h"].map((word) => {
  const { status, stdout } = spawnSync(process.execPath, [`${out}/bin/alone.js`, word], { encoding: "utf8" })
  if (status !== 0) throw new Error(`the command line that was built fails with ${word}`)
  return [word, stdout]
})

writeFileSync(
  `${out}/bin.js`,
  `#!/usr/bin/env node
import { writeSync } from "node:fs"
import module from "node:module"

const words = process.argv.slice(2)
const answers = new Map(${JSON.stringify(answers)})

/** A pipe nobody reads, or a full disk, is for the program to tell of. */
const isAnswered = (text) => {
  if (text === undefined) return false
  try {
    return writeSync(1, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

const start = () => {
  // Beside the code it is made of: who can write here can change that too. Node before 22.8 has no such cache.
  module.enableCompileCache?.(\`\${import.meta.dirname}/.cache\`)
  const loadsModule = words.some((word) => /^--(tools|rules)(=|$)/.test(word))
  return import(loadsModule ? "./bin/shared.js" : "./bin/alone.js")
}

if (!isAnswered(answers.get(words.join(" ")))) await start()
`,
)
chmodSync(`${out}/bin.js`, 0o755)
rmSync("dist", { recursive: true, force: true })
renameSync(out, "dist")
