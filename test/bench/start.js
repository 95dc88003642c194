/**
 * Start the bench: `npm run bench -- [ROW…] [--quick] [--alone] [--peers] [--write] [--check]`.
 *
 * Out: `main.ts` and `contender.ts`, bundled from `src` and run by plain Node, so that what is measured is JavaScript
 *      and no loader. effect stays outside, as it does for users.
 * Not here: what the arguments mean (`main.ts`): `--quick` is one short process a contender in place of three,
 *           `--alone` leaves the neighbours out.
 */
import { rmSync } from "node:fs"
import { build } from "esbuild"
import { withoutHook } from "./withoutHook.js"

process.chdir(`${import.meta.dirname}/../..`)

/** Inside the package, so that imports find its packages; git ignores `dist.*`. */
const out = `dist.bench-${process.pid}`
process.on("exit", () => rmSync(out, { recursive: true, force: true }))
process.on("SIGINT", () => process.exit(130))

const bundle = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  packages: "external",
  // An alias and not the `paths` of tsconfig.json: those would name the built package for esbuild's own resolver.
  alias: { "effect-harness": "./src/index.ts" },
  entryPoints: { contender: "test/bench/contender.ts" },
}

await Promise.all([
  build({ ...bundle, outdir: out, entryPoints: { ...bundle.entryPoints, main: "test/bench/main.ts" } }),
  // Without this build only its own line fails: sources that change must not stop every other measurement.
  build({ ...bundle, outdir: `${out}/without-hook`, plugins: [withoutHook] }).catch(({ message }) =>
    process.stderr.write(`no build without the hook: ${message}\n`),
  ),
])

const { main } = await import(`../../${out}/main.js`)
process.exitCode = await main(process.argv.slice(2), `${process.cwd()}/${out}`)
