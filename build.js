/**
 * Build `dist`: the library by tsc, one file a module with its types; the CLI by esbuild, twice.
 *
 *   dist/bin.js          picks one of the two by its arguments
 *   dist/bin/alone.js    has effect and the library inside: starts fast
 *   dist/bin/shared.js   imports effect and `dist/` as a `--tools` module does, so that both share one copy
 *
 * Source: docs/adr/0007, why two.
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

/** Leave the library's modules where tsc put them: src/room/X.ts becomes an import of dist/room/X.js. */
const libraryStaysOutside = {
  name: "library-stays-outside",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const module = relative("src", resolve(resolveDir, path)).split(sep).join("/")
      if (module.startsWith("../") || /^(cli|setup|terminal)\//.test(module)) return undefined
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

writeFileSync(
  `${out}/bin.js`,
  `#!/usr/bin/env node
const sharesItsTools = process.argv.some((word) => word === "--tools" || word.startsWith("--tools="))
await import(sharesItsTools ? "./bin/shared.js" : "./bin/alone.js")
`,
)
chmodSync(`${out}/bin.js`, 0o755)
rmSync("dist", { recursive: true, force: true })
renameSync(out, "dist")
