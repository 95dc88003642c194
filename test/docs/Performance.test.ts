/** The page about performance says what the kept run of the bench found. */
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { absences } from "../bench/absences.ts"
import { type Baseline, merge, missingOf, read } from "../bench/baseline.ts"
import { toCommand } from "../bench/command.ts"
import { compare } from "../bench/compare.ts"
import type { Entry } from "../bench/Outcome.ts"
import { charts, missedOf, parts, path } from "../bench/page.ts"
import type { Line } from "../bench/Row.ts"
import { rows } from "../bench/rows.ts"
import { partOf, partsOf } from "./Generated.ts"

const baseline = read()

/** The lines that are explained: a heading each, under one section that no command writes. */
const explainedIn = (page: string): ReadonlyArray<string> => {
  const [, section = ""] = page.split("\n## Where an aim is missed\n")
  const [own = ""] = section.split("\n## ")
  return [...own.matchAll(/^### `(.+)`\n\n\w/gm)].map(([, line = ""]) => line)
}

describe("docs/explain/performance.md", () => {
  it("explains each line with a missed aim, and no other", () => {
    expect(explainedIn(readFileSync(path, "utf8"))).toEqual(missedOf(baseline))
  })

  it("has a figure of each line, or says that there is none", () => {
    const { rows: sections = "" } = parts(baseline)
    const titles = rows.flatMap(({ lines }) => lines.map(({ title }) => title))
    const told = (title: string) =>
      sections.includes(`| ${title} |`) || sections.includes(`- Not measured in the kept run: ${title}.`)
    expect(titles.filter((title) => !told(title))).toEqual([])
  })

  it("gives reasons of rows that there are", () => {
    const names = rows.map(({ name }) => name)
    expect(absences.filter(({ row }) => !names.includes(row))).toEqual([])
  })

  it.each(Object.entries(parts(baseline)))("has the %s of the kept run", (name, wanted) => {
    expect(partOf(path, name, wanted)).toBe(wanted)
  })

  it("has no other written parts", () => {
    expect(partsOf(path)).toEqual(Object.keys(parts(baseline)))
  })

  it.each(Object.entries(charts(baseline)))("shows %s of the kept run", (path, wanted) => {
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, wanted)
    expect(readFileSync(path, "utf8")).toBe(wanted)
  })

  it("tells of lines that there are, each once", () => {
    const known = rows.flatMap(({ lines }) => lines.map(({ name }) => name))
    const told = baseline.outcomes.map(({ line }) => line)
    expect(told.filter((line) => !known.includes(line))).toEqual([])
    expect(new Set(told).size).toBe(told.length)
  })

  it("names no machine and no path", () => {
    expect(JSON.stringify(baseline)).not.toMatch(/\/home|\/tmp|\/work|node_modules/)
  })

  it("has a verdict, or says that there is none, for each aim of a kept line", () => {
    const { aims = "" } = parts(baseline)
    const wanted = rows.flatMap((row) =>
      row.lines
        .filter(({ name }) => baseline.outcomes.some(({ line }) => line === name))
        .flatMap(({ aims = [], title }) => aims.map(() => `${row.title}: ${title}`)),
    )
    expect([...aims.matchAll(/^\| (.+?) \|/gm)].slice(2).map(([, title]) => title)).toEqual(wanted)
  })
})

const figure = (contender: string, cpuMicros: number): Entry => ({ contender, figures: { cpuMicros } })
const own = [figure("floor", 1), figure("ours", 2)]
const toObject = (...entries: ReadonlyArray<Entry>) => ({ row: "decode", line: "decode/ten/object", entries })
const run = {
  date: "2026-01-01",
  node: "20.19.0",
  platform: "linux",
  cpu: "a processor",
  cores: 2,
  memoryBytes: 1,
  load: [0, 0],
  passes: 1,
  rounds: 1,
} as const
const keepOnly = (...entries: ReadonlyArray<Entry>): Baseline =>
  merge({ runs: [], versions: {}, outcomes: [] }, run, {}, [toObject(...entries)])

describe("what a run may replace", () => {
  const kept = keepOnly(...own, figure("ajv", 3))

  it("is no line that compares with more contenders", () => {
    expect(missingOf(kept, toObject(...own))).toEqual(["ajv"])
    expect(missingOf(kept, toObject(...own, { contender: "ajv", failure: "it died" }))).toEqual(["ajv"])
  })

  it("is a line that compares with the same or more", () => {
    expect(missingOf(kept, toObject(...own, figure("ajv", 4), figure("zod", 5)))).toEqual([])
    expect(missingOf(keepOnly(...own), toObject(...own))).toEqual([])
  })

  it("is no line, kept or not, when the floor or ours failed", () => {
    const [floor = figure("floor", 1), ours = figure("ours", 1)] = own
    const none = { runs: [], versions: {}, outcomes: [] }
    expect(missingOf(none, toObject(floor, { contender: "ours", failure: "it died" }))).toEqual(["ours"])
    expect(missingOf(none, toObject({ contender: "floor", failure: "it died" }, ours))).toEqual(["floor"])
  })
})

describe("a line without a contender", () => {
  it("keeps its aim against it", () => {
    expect(parts(keepOnly(...own))["aims"]).toContain("| – | ≤ 1 × ajv | not measured |")
    expect(missedOf(keepOnly(...own))).toEqual([])
  })

  it("says why one failed, without the paths it names", () => {
    const failed = keepOnly(...own, {
      contender: "zod",
      failure: "Error: no /a/b.js here\n    at /a/c.js:1:1",
    })
    expect(parts(failed)["rows"]).toContain(
      "- Without zod in `decode/ten/object`, which did not end: Error: no … here.",
    )
  })
})

const lineOf = (name: string): Line => {
  const line = rows.flatMap(({ lines }) => lines).find((line) => line.name === name)
  if (line === undefined) throw new Error(`no line ${name}`)
  return line
}

describe("the reason why somebody is not there", () => {
  it("is given until they are", () => {
    const told = absences.find(({ peers: [first], row }) => row === "call" && first === "ai")
    const note = `- Without ai: ${told?.reason}.`
    const toKept = (...more: ReadonlyArray<Entry>) =>
      merge({ runs: [], versions: {}, outcomes: [] }, run, {}, [
        { row: "call", line: "call/plain", entries: [...own, ...more] },
      ])
    expect(parts(toKept())["rows"]).toContain(note)
    expect(parts(toKept(figure("ai", 3)))["rows"]).not.toContain(note)
  })
})

describe("comparing with what is kept", () => {
  const line = lineOf("decode/ten/object")
  const kept = keepOnly(...own, figure("ajv", 4))

  it("goes by the ratio that the aim names", () => {
    const now = toObject(figure("floor", 1), figure("ours", 2), figure("ajv", 1))
    expect(compare(kept, [[line, now]])).toEqual({
      compared: 1,
      passedOver: [],
      worse: [{ line: "decode/ten/object", against: "ajv", was: 0.5, is: 2 }],
    })
    const floorAlone = toObject(figure("floor", 0.1), figure("ours", 2), figure("ajv", 4))
    expect(compare(kept, [[line, floorAlone]]).worse).toEqual([])
  })

  it("names what it passes over", () => {
    const reasons = [
      compare({ runs: [], versions: {}, outcomes: [] }, [[line, toObject(...own)]]),
      compare(keepOnly(...own), [[line, toObject(...own)]]),
      compare(kept, [[line, toObject(...own)]]),
      compare(keepOnly(figure("floor", 1), figure("ours", 0), figure("ajv", 4)), [
        [line, toObject(...own, figure("ajv", 4))],
      ]),
    ]
    expect(reasons.map(({ compared, passedOver: [one] }) => [compared, one?.reason])).toEqual([
      [0, "not kept"],
      [0, "no kept figure against ajv"],
      [0, "no figure against ajv now"],
      [0, "the kept figure is not above zero"],
    ])
  })
})

describe("the words after `npm run bench --`", () => {
  it("choose rows and lines", () => {
    const command = toCommand(["decode/ten", "--quick"])
    expect(command).toMatchObject({ flags: { quick: true, write: false } })
    expect(typeof command === "string" ? [] : command.selected.map(([, { name }]) => name)).toEqual(
      rows.flatMap(({ lines }) =>
        lines.map(({ name }) => name).filter((name) => name.startsWith("decode/ten/")),
      ),
    )
  })

  it("are answered in one line when they mean nothing", () => {
    expect(toCommand(["nothing"])).toMatch(/^there is no row nothing; there are .*decode.*$/)
    expect(toCommand(["call/none"])).toBe("there is no line call/none; there are call/plain, call/traced")
    expect(toCommand(["--keep"])).toMatch(/^Unknown option '--keep'; there are --quick, .*--check$/)
  })
})
