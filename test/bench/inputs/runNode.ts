/**
 * Run Node once, and tell what the whole process cost.
 *
 * Order: the process reports its own CPU time as it exits, because nobody else can tell it of one child alone.
 */
import { spawnSync } from "node:child_process"
import type { Figures } from "../Row.ts"

const reporter = `
import { writeSync } from "node:fs"
process.on("exit", () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, JSON.stringify({ cpuMicros: user + system, processBytes: process.resourceUsage().maxRSS * 1024 }))
})`
const preload = `data:text/javascript,${encodeURIComponent(reporter)}`

export const runNode = (words: ReadonlyArray<string>): Figures => {
  const began = performance.now()
  const { output, status } = spawnSync(process.execPath, ["--import", preload, ...words], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  })
  const wallMicros = (performance.now() - began) * 1000
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${output[2]}`)
  const said: Figures = JSON.parse(output[3] ?? "")
  return { wallMicros, ...said }
}
