/**
 * `dist/bin.js`: answer what never changes, else start one of the two builds of the command line.
 *
 * In:  `ANSWERS` and `PROGRAM`, which the build fills in.
 * Not here: what the program does (`src/cli/main.ts`).
 * Source: docs/adr/0007, why two builds; docs/adr/0020, what is kept of a start for the next one.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs"
import module from "node:module"
import { join } from "node:path"
import { Script } from "node:vm"

const words = process.argv.slice(2)
const answers = new Map(ANSWERS)

/** A pipe nobody reads, or a full disk, is for the program to tell of. */
const isAnswered = (text) => {
  if (text === undefined) return false
  try {
    return writeSync(1, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

/** Beside the code it is made of: who can write here can change that too. */
const kept = process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, ".cache")
const isKept = process.env.NODE_DISABLE_COMPILE_CACHE === undefined && /^[a-z]+$/.test(words[0] ?? "")

/** V8 dies of damage, which it does not look for. Nothing is kept by the Nodes without this sum: 21, and 22 before 22.3. */
const sumOf = (code) => process.getBuiltinModule("node:zlib").crc32(code)
const sumBytes = 4

/** The sum is at the end, as V8 copies code that is not aligned. */
const readKept = (file) => {
  try {
    const bytes = readFileSync(file)
    const code = bytes.subarray(0, -sumBytes)
    return bytes.readUInt32LE(code.length) === sumOf(code) ? code : undefined
  } catch {
    return undefined
  }
}

/** Whole or not at all. */
const keep = (file, script) => {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(kept, { recursive: true })
    writeFileSync(draft, "", { flag: "wx" })
    const code = script.createCachedData()
    const sum = Buffer.alloc(sumBytes)
    sum.writeUInt32LE(sumOf(code))
    writeFileSync(draft, Buffer.concat([code, sum]))
    renameSync(draft, file)
  } catch {
    // A folder that cannot be written keeps nothing.
    discard(draft)
  }
}

const discard = (draft) => {
  try {
    rmSync(draft, { force: true })
  } catch {
    // There is none, where none can be made.
  }
}

/** Each command has its own file, as each compiles other functions. The program is written in ASCII, which is read fastest. */
const startAlone = () => {
  const program = join(import.meta.dirname, "bin/alone.cjs")
  const file = join(kept, `${PROGRAM}-${process.version}-${process.arch}-${words[0]}`)
  const cachedData = isKept ? readKept(file) : undefined
  const text = `(function (require, __filename, importOutside) {${readFileSync(program, "latin1")}\n})`
  const script = new Script(text, { filename: program, cachedData })
  if (isKept && script.cachedDataRejected !== false)
    process.once("exit", (code) => {
      if (code !== 2) keep(file, script) // 2: there is no such command
    })
  script.runInThisContext()(module.createRequire(program), program, (specifier) => import(specifier))
}

const startShared = () => {
  // Node before 22.8 has no such cache.
  module.enableCompileCache?.(kept)
  return import("./bin/shared.js")
}

if (!isAnswered(answers.get(words.join(" ")))) {
  if (words.some((word) => /^--(tools|rules)(=|$)/.test(word))) await startShared()
  else startAlone()
}
