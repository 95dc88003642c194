/**
 * How long `check` takes for long logs, how much memory it takes at most, and how much of that it holds at the end.
 *
 *   node --expose-gc test/bench/checkLog.ts [EVENTS…] [--deltas N]
 *   node test/bench/checkLog.ts --write FILE EVENTS
 *
 * In:  sizes of logs, in events (10000, 100000 and 1000000 unless given); pieces of text a step.      Out: a line a size.
 * Order: each size in a process of its own, so that its peak is its own; the same log is judged once.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { judgeFile } from "../../src/verdict/Judge.ts"
import { isLawful } from "../../src/verdict/Verdict.ts"
import { writeLog } from "./writeLog.ts"

/** Units: megabytes of the heap that are in use after a collection. */
const heldMegabytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

const measure = async (file: string): Promise<string> => {
  const before = heldMegabytes()
  const startedAt = performance.now()
  let atEnd = before
  const bytes = statSync(file).size
  let left = bytes
  // What the rules hold is gone once there is a verdict, so it is weighed at the last piece.
  const onBytes = (count: number) =>
    Effect.sync(() => {
      left -= count
      if (left === 0) atEnd = heldMegabytes()
    })
  const judged = Effect.provide(judgeFile(file, { onBytes }), NodeServices.layer)
  const verdict = await Effect.runPromise(judged)
  const seconds = (performance.now() - startedAt) / 1_000
  return [
    `${verdict.events} events, ${(bytes / 1e6).toFixed(1)} MB, ${isLawful(verdict) ? "lawful" : "unlawful"}`,
    `${seconds.toFixed(2)} s, ${(process.cpuUsage().user / 1e6).toFixed(2)} s of CPU`,
    `peak ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`,
    `held at the end ${(atEnd - before).toFixed(1)} MB`,
  ].join(" · ")
}

const [, script = "", ...words] = process.argv
const at = words.indexOf("--deltas")
const deltas = at === -1 ? 12 : Number(words[at + 1])
const sizes = (at === -1 ? words : words.toSpliced(at, 2)).map(Number)

if (words[0] === "--write") writeLog(words[1] ?? "", Number(words[2]), 12)
else if (words[0] === "--judge") process.stdout.write(`${await measure(words[1] ?? "")}\n`)
else {
  const folder = mkdtempSync(join(tmpdir(), "check-log-"))
  for (const size of sizes.length === 0 ? [10_000, 100_000, 1_000_000] : sizes) {
    const file = join(folder, `${size}.jsonl`)
    writeLog(file, size, deltas)
    spawnSync(process.execPath, [...process.execArgv, script, "--judge", file], { stdio: "inherit" })
    rmSync(file)
  }
  rmSync(folder, { recursive: true })
}
