/**
 * A build of the package in which no session has a hook, to measure what the hook costs where nobody uses it.
 *
 * Fails with: an `Error` when the sources no longer read as they do here; then this file has to follow them.
 */
import { readFileSync } from "node:fs"

/** What stands in the sources, and what stands there in a build without the hook. */
const edits = {
  "src/session/start.ts": [
    ["const observer = (yield* Observer)?.watch(id, options.existing)", "const observer = undefined"],
    ["makeStatus(ledger, observer?.onStatus)", "makeStatus(ledger, undefined)"],
    ["observer?.onRequest(messages)", "undefined"],
  ],
  "src/session/accept.ts": [["observer?.onAppend(events)", ""]],
}

const edit = (path) => {
  let text = readFileSync(path, "utf8")
  for (const [from, to] of edits[path]) {
    if (!text.includes(from)) throw new Error(`${path} no longer has ${JSON.stringify(from)}`)
    text = text.replace(from, to)
  }
  return text
}

export const withoutHook = {
  name: "without-hook",
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/]session[\\/](start|accept)\.ts$/ }, ({ path }) => ({
      contents: edit(path.slice(path.lastIndexOf("src")).replaceAll("\\", "/")),
      loader: "ts",
    }))
  },
}
