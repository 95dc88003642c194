/**
 * What real libraries throw in a body becomes a code that tells a time-out from a cancel, and one errno from another.
 * Cases: abort/timeout-as-abort, errors/enoent-eacces, errors/object-object.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { promisify } from "node:util"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Tool from "../../src/tool/Tool.ts"
import { execute, textOf } from "./fixtures.ts"

const asking = (run: () => Promise<unknown>) =>
  execute(Tool.defineTool({ name: "ask", description: "", parameters: {}, run }))

const timedOut = (): DOMException =>
  new DOMException("The operation was aborted due to timeout", "TimeoutError")

/** A server that never answers; the client gives up with this reason once it has been asked. */
const fetchUntil = async (reason: unknown): Promise<unknown> => {
  const controller = new AbortController()
  const server = createServer(() => controller.abort(reason)).listen(0, "127.0.0.1")
  try {
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return await fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const closed = async (): Promise<unknown> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return fetch(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`)
}

const node = (code: string, signal?: AbortSignal): Promise<unknown> =>
  promisify(execFile)(process.execPath, ["--eval", code], signal === undefined ? {} : { signal })

const thrown: ReadonlyArray<readonly [string, () => Promise<unknown>, string]> = [
  ["a fetch whose time is up", () => fetchUntil(timedOut()), "TIMEOUT_ERR"],
  ["a fetch that somebody stops", () => fetchUntil(undefined), "ABORT_ERR"],
  ["a fetch of a closed port", closed, "ECONNREFUSED"],
  [
    "a read whose time is up",
    () => readFile("package.json", { signal: AbortSignal.abort(timedOut()) }),
    "TIMEOUT_ERR",
  ],
  [
    "a read that somebody stops",
    () => readFile("package.json", { signal: AbortSignal.abort() }),
    "ABORT_ERR",
  ],
  ["a process whose time is up", () => node("0", AbortSignal.abort(timedOut())), "TIMEOUT_ERR"],
  ["a process that a signal ends", () => node("process.kill(process.pid, 'SIGTERM')"), "SIGTERM"],
  ["a process that does not end with 0", () => node("process.exit(3)"), "EXIT_3"],
  ["a program that is not there", () => promisify(execFile)("no-such-program"), "ENOENT"],
  ["a file that is not there", () => readFile("no-such-file"), "ENOENT"],
  ["a folder that is there already", () => mkdir("test"), "EEXIST"],
  ["a file read as a folder", () => readFile("package.json/x"), "ENOTDIR"],
  ["JSON that is none", () => Promise.resolve().then(() => JSON.parse("{")), "SYNTAX_ERROR"],
  ["a URL that is none", () => Promise.resolve().then(() => new URL("x")), "ERR_INVALID_URL"],
]

describe("the code of a failure", () => {
  it.live.each(thrown)("is that of %s", ([, run, code]) =>
    Effect.map(asking(run), (result) => {
      expect(result).toMatchObject({ outcome: "failed", error: { name: "ToolFailed", code } })
      expect(textOf(result)).toContain(`ask failed (${code}): `)
      expect(textOf(result)).not.toMatch(/\[object|undefined/)
    }),
  )

  it.live.each([
    ["TIMEOUT_ERR", () => fetchUntil(timedOut())],
    ["ECONNREFUSED", closed],
  ] as const)("says that %s may pass", ([, run]) =>
    Effect.map(asking(run), (result) => expect(textOf(result)).toContain("The same call may work later.")),
  )
})
