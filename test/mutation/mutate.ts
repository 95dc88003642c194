/**
 * Test the tests: change the code of a room in thousands of small ways, and count the changes no test notices.
 *
 *   npm ci --prefix test/mutation
 *   node test/mutation/mutate.ts [room…]            print counts and survivors
 *   node test/mutation/mutate.ts --check [room…]    and fail where a room scores less than it did
 *   node test/mutation/mutate.ts --keep [room…]     and keep scores that are higher
 *   node test/mutation/mutate.ts --again [room…]    look again only at survivors, and at what changed since the last run
 *
 * In:  the rooms (all unless named), `scores.json`.      Out: tables; the whole report as `.mutation/<room>.json`.
 * Not here: why, and what is not counted (docs/explain/testing.md). Wants Node 22.18, for Stryker and for types.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { type Counts, type Finding, readReport } from "./readReport.ts"
import { floors, isRoom, type Room, rooms, testsOf } from "./rooms.ts"

const scoresFile = "test/mutation/scores.json"
const folder = ".mutation"

const words = process.argv.slice(2)
const isAgain = words.includes("--again")
const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * How Stryker runs.
 *
 * Which tests, the configuration of vitest says: with Stryker's own `testFiles`, a mutant in code that runs while its module
 * loads is switched on only after it, so that it survives whatever the tests say.
 * Units: timeouts in milliseconds, far above what a test takes: on a busy machine a slow test would count as a kill.
 */
const settings = (room: Room) => ({
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  mutate: [`src/${room}/**/*.ts`],
  ignorePatterns: ["/.*", "/dist", "/dist.*"],
  tempDirName: `${folder}/sandbox`,
  // There is none of this name: Stryker rewrites the one it finds, with a compiler interface that TypeScript 7 lacks.
  tsconfigFile: "tsconfig.none.json",
  reporters: ["progress-append-only"],
  // The whole report, which is also where `--again` goes on from.
  incremental: true,
  incrementalFile: `${folder}/${room}.json`,
  force: !isAgain,
  concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
  timeoutMS: 60_000,
  timeoutFactor: 4,
  warnings: { slow: false },
})

/** Of the last run keep the kills: Stryker takes a survivor in code that runs while its module loads for one for ever. */
const keepKills = (report: string) => {
  const { files, ...rest } = JSON.parse(readFileSync(report, "utf8"))
  for (const file of Object.values<{ mutants: ReadonlyArray<{ readonly status: string }> }>(files))
    file.mutants = file.mutants.filter(({ status }) => status === "Killed")
  writeFileSync(report, JSON.stringify({ ...rest, files }))
}

const mutate = (room: Room): Finding => {
  const config = `${folder}/${room}.config.json`
  const report = `${folder}/${room}.json`
  mkdirSync(folder, { recursive: true })
  writeFileSync(config, JSON.stringify(settings(room), null, 2))
  if (isAgain && existsSync(report)) keepKills(report)
  const program = "test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js"
  const { status } = spawnSync(process.execPath, [program, "run", config], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      // Every mutant runs the properties again; a quarter of the values finds what all do, or all are too few to rely on.
      RUNS_FACTOR: "0.25",
      // Every mutant gets a worker of its own, which loads effect anew.
      NODE_COMPILE_CACHE: resolve(folder, "compiled"),
      ...process.env,
      MUTATION_TESTS: testsOf(room).join(" "),
    },
  })
  if (status !== 0) throw new Error(`${room}: Stryker ended with ${status}`)
  return readReport(readFileSync(report, "utf8"))
}

const named = words.filter((word) => !word.startsWith("--"))
const unknown = named.filter((name) => !isRoom(name))
if (unknown.length > 0) throw new Error(`no such room: ${unknown.join(", ")}; there are ${rooms.join(", ")}`)

const kept: Partial<Record<Room, Counts>> = JSON.parse(readFileSync(scoresFile, "utf8"))
const found = new Map<Room, Counts>()
for (const room of named.length === 0 ? rooms : named.filter(isRoom)) {
  const { counts, survivors } = mutate(room)
  found.set(room, counts)
  say(`\n${room}: what no test notices`)
  for (const survivor of survivors) say(`  ${survivor}`)
  // Written room by room: a run that is stopped keeps what it found.
  if (words.includes("--keep") && counts.score >= (kept[room]?.score ?? 0)) {
    kept[room] = counts
    writeFileSync(scoresFile, `${JSON.stringify(kept, null, 2)}\n`)
  }
}

say("\nroom        mutants   killed  timeout survived    score     kept")
for (const [room, { killed, mutants, score, survived, timeout }] of found) {
  const cells = [mutants, killed, timeout, survived, score, kept[room]?.score ?? "-"]
  say(room.padEnd(10) + cells.map((cell) => String(cell).padStart(9)).join(""))
}

const lower = [...found].filter(
  ([room, { score }]) => score < Math.max(kept[room]?.score ?? 0, floors[room] ?? 0),
)
if (words.includes("--check") && lower.length > 0) {
  say(`\nscores less than it did, or less than it must: ${lower.map(([room]) => room).join(", ")}`)
  process.exitCode = 1
}
