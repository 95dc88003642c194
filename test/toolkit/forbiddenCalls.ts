/**
 * The calls of Permissions.test.ts, as a program: it can run as a user whom mode bits bind.
 *
 * In:  an empty folder, as the only argument.      Out: on stdout, JSON: what each call ended with, by its name.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem } from "effect"
import * as Tool from "../../src/tool/Tool.ts"
import { editFile } from "../../src/toolkit/EditFile.ts"
import { listFiles } from "../../src/toolkit/ListFiles.ts"
import { readFile } from "../../src/toolkit/ReadFile.ts"
import { searchText } from "../../src/toolkit/SearchText.ts"
import * as Workspace from "../../src/toolkit/Workspace.ts"
import { writeFile } from "../../src/toolkit/WriteFile.ts"

const edit = { old_text: "text", new_text: "other" }

/** Call a tool as a model does, and keep whatever comes of it. */
const call = <O extends string, E extends { readonly code: string; readonly message: string }, R>(
  tool: Parameters<typeof Tool.run<O, E, R>>[0],
  args: object,
) =>
  Effect.match(Tool.run(tool)(JSON.stringify(args)), {
    onSuccess: (text) => ({ text }),
    onFailure: ({ code, message }) => ({ code, message }),
  })

const calls = Effect.all({
  "read a missing file": call(readFile, { path: "missing.txt" }),
  "read a forbidden file": call(readFile, { path: "locked.txt" }),
  "read a folder": call(readFile, { path: "closed" }),
  "read a path outside": call(readFile, { path: "../outside.txt" }),
  "read a file in a closed folder": call(readFile, { path: "closed/a.txt" }),
  "list a closed folder": call(listFiles, { path: "closed" }),
  "list around a closed folder": call(listFiles, {}),
  "search a forbidden file": call(searchText, { query: "text", path: "locked.txt" }),
  "search around a forbidden file": call(searchText, { query: "text" }),
  "edit a write-protected file": call(editFile, { path: "protected.txt", ...edit }),
  "edit a missing file": call(editFile, { path: "missing.txt", ...edit }),
  "edit a file in a closed folder": call(editFile, { path: "closed/a.txt", ...edit }),
  "edit a file in a sealed folder": call(editFile, { path: "sealed/a.txt", ...edit }),
  "overwrite a write-protected file": call(writeFile, { path: "protected.txt", content: "x" }),
  "create a file in a sealed folder": call(writeFile, { path: "sealed/b.txt", content: "x" }),
  "create a folder in a sealed folder": call(writeFile, { path: "sealed/b/c.txt", content: "x" }),
})

const modes = { "locked.txt": 0o000, "protected.txt": 0o444, closed: 0o000, sealed: 0o555 }

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = process.argv[2] ?? ""
  for (const folder of ["closed", "sealed"]) yield* fs.makeDirectory(`${root}/${folder}`)
  for (const file of ["locked.txt", "protected.txt", "closed/a.txt", "sealed/a.txt"]) {
    yield* fs.writeFileString(`${root}/${file}`, "text\n")
  }
  const setModes = Effect.forEach(Object.entries(modes), ([path, mode]) => fs.chmod(`${root}/${path}`, mode))
  const openAll = Effect.forEach(Object.keys(modes), (path) => fs.chmod(`${root}/${path}`, 0o777))
  const results = yield* Effect.ensuring(Effect.andThen(setModes, calls), Effect.orDie(openAll)).pipe(
    Effect.provide(Workspace.layer(root)),
  )
  const texts = yield* Effect.forEach(["protected.txt", "sealed/a.txt"], (path) =>
    fs.readFileString(`${root}/${path}`),
  )
  const names = yield* fs.readDirectory(root, { recursive: true })
  return { calls: results, texts, names: names.sort() }
})

process.stdout.write(JSON.stringify(await Effect.runPromise(Effect.provide(program, NodeServices.layer))))
