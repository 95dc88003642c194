/**
 * Bundle the command line with everything inside, and what starts it.
 *
 *   bin/alone.cjs   one script, whose modules are evaluated when they are first imported: V8 can keep a script compiled
 *   bin.js          answers `--version` and `--help`, and starts the other
 *
 * Source: docs/adr/0020.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { resolve, sep } from "node:path"
import { build } from "esbuild"
import { parseSync, Visitor } from "oxc-parser"
import { importModules } from "./importModules.js"

const sources = `${resolve("src")}${sep}`

/** What stays outside is imported by the launcher: Node 20 lets no script import that V8 has from its cache. */
const importOutside = (program) => {
  const edits = []
  const visitor = new Visitor({
    ImportExpression: ({ start, source }) => {
      if (source.type === "Literal" && source.value.startsWith(".")) return
      edits.push({ start, end: start + "import".length, text: "importOutside" })
    },
  })
  visitor.visit(program)
  return edits
}

const edit = (path, code) => {
  const { program } = parseSync(path, code)
  return [...importModules(program), ...importOutside(program)].reduceRight(
    (text, { start, end, text: edited }) => text.slice(0, start) + edited + text.slice(end),
    code,
  )
}

const editSources = {
  name: "edit-sources",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) =>
      path.startsWith(sources)
        ? { contents: edit(path, await readFile(path, "utf8")), loader: "ts" }
        : undefined,
    )
  },
}

/** To load one takes Node 8 ms, and effect's page of help loads one for whoever may want help. */
const segmentWhenAsked = {
  name: "segment-when-asked",
  setup({ onLoad }) {
    onLoad({ filter: /effect[\\/]dist[\\/]cli[\\/]CliOutput\.js$/ }, async ({ path }) => {
      const code = await readFile(path, "utf8")
      const contents = code.replace(
        /new Intl\.Segmenter\([^)]*\)/,
        (segmenter) => `{ segment: (text) => (${segmenter}).segment(text) }`,
      )
      if (contents === code) throw new Error(`no segmenter in ${path}`)
      return { contents }
    })
  },
}

const node = { platform: "node", target: "node20.19", logLevel: "warning" }

export const buildProgram = async (out) => {
  const program = `${out}/bin/alone.cjs`
  await build({
    ...node,
    bundle: true,
    entryPoints: ["src/cli/main.ts"],
    outfile: program,
    format: "cjs",
    // Optional peers of the user's choice; imported when a model asks for them.
    external: ["@ai-sdk/*"],
    plugins: [editSources, segmentWhenAsked],
    // A script has no `import.meta`.
    banner: { js: 'const programUrl = require("node:url").pathToFileURL(__filename).href' },
    define: { "import.meta.url": "programUrl" },
  })
  const launcher = `${out}/bin.js`
  await build({
    ...node,
    entryPoints: ["build/launcher.js"],
    outfile: launcher,
    format: "esm",
    banner: { js: "#!/usr/bin/env node" },
    define: { ANSWERS: JSON.stringify(ask(program)), PROGRAM: JSON.stringify(nameOf(program)) },
  })
  chmodSync(launcher, 0o755)
}

/** What the program says to these depends on nothing but its version, so it is asked here and not at every start. */
const ask = (program) =>
  ["--version", "-v", "--help", "-h"].map((word) => {
    const { status, stdout } = spawnSync(process.execPath, [program, word], { encoding: "utf8" })
    if (status !== 0) throw new Error(`the command line that was built fails with ${word}`)
    return [word, stdout]
  })

const nameOf = (program) => createHash("sha256").update(readFileSync(program)).digest("hex").slice(0, 16)
