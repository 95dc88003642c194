/** docs/reference/cli.md is what the built command line says of itself, and does. */
import { readFileSync } from "node:fs"
import { Effect, Predicate } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { folderWith, program, script } from "../cli/program.ts"
import { blocksOf, codesOf, page, rowsOf, sectionOf } from "./Page.ts"

const text = page("docs/reference/cli.md")
const commands = rowsOf(sectionOf(text, "Commands")).map(([name = "", args = ""]) => ({
  name: codesOf(name).join(),
  args: codesOf(args),
}))
const flags = rowsOf(sectionOf(text, "Flags")).map(([flag = "", users = "", standard = ""]) => ({
  name: codesOf(flag).join(),
  users: codesOf(users),
  standard: codesOf(standard).join(),
}))

/** First words of the lines of a section of a help text. */
const listedIn = (help: string, heading: string): ReadonlyArray<string> => {
  const lines = help.split("\n")
  const start = lines.indexOf(heading)
  if (start === -1) return []
  const length = lines.slice(start).indexOf("")
  return lines
    .slice(start + 1, start + (length === -1 ? lines.length : length))
    .map((line) => line.trim().split(/[\s,]/, 1).join())
}

/** `{ key, key: [{ key }] }`, in the order in which they came; `shown` are the keys whose values are shown too. */
const shapeOf = (value: unknown, shown: ReadonlyArray<string>): string => {
  if (Array.isArray(value)) return `[${shapeOf(value[0], shown)}]`
  if (!Predicate.isObject(value)) return ""
  const members = Object.entries(value).map(([key, member]) =>
    shown.includes(key) ? `${key}: ${shapeOf(member, shown)}` : key,
  )
  return `{ ${members.join(", ")} }`
}

describe("the page of the command line", () => {
  let helps: ReadonlyMap<string, string> = new Map()
  beforeAll(async () => {
    const names = ["", ...commands.map(({ name }) => name)]
    const ends = await Promise.all(names.map((name) => program([...(name === "" ? [] : [name]), "--help"])))
    helps = new Map(names.map((name, at) => [name, ends[at]?.stdout ?? ""]))
  })

  it("has every command with its arguments, and no other", () => {
    expect(commands.map(({ name }) => name)).toEqual(listedIn(helps.get("") ?? "", "SUBCOMMANDS"))
    for (const { name, args } of commands)
      expect([name, listedIn(helps.get(name) ?? "", "ARGUMENTS")]).toEqual([name, args])
  })

  it("has every flag of every command, and no other", () => {
    for (const { name } of commands) {
      const told = flags.filter(({ users }) => users.includes(name)).map((flag) => flag.name)
      expect([name, told]).toEqual([name, listedIn(helps.get(name) ?? "", "FLAGS")])
    }
  })

  it("shows a script that a model takes, with every field", async () => {
    const [block] = blocksOf(sectionOf(text, "A model script")).filter(({ language }) => language === "json")
    const { steps } = await Effect.runPromise(ScriptedModel.parse(block?.text ?? ""))
    const fields = rowsOf(sectionOf(text, "A model script")).flatMap(([field = ""]) => codesOf(field))
    expect(fields.map((field) => field.replace("?", ""))).toEqual(Object.keys(ScriptedModel.Step.fields))
    const used = new Set(steps.flatMap((step) => Object.keys(step)))
    expect(Object.keys(ScriptedModel.Step.fields).filter((field) => !used.has(field))).toEqual([])
  })

  it("has the shapes of what run, list, show and check print", async () => {
    const cwd = folderWith({
      "script.json": script({ text: "Hello." }),
      "bad.json": script({ error: { code: "MODEL_REFUSED", message: "no" } }),
      "unlawful.jsonl": readFileSync("docs/examples/logs/unlawful.jsonl", "utf8"),
    })
    const shapes = new Map(
      rowsOf(sectionOf(text, "JSON")).map(([command = "", object = ""]) => [
        codesOf(command).join(),
        codesOf(object)[0] ?? "",
      ]),
    )
    /** Print it with keys inside as far as the page shows them. */
    const printed = async (command: string, ...args: ReadonlyArray<string>) => {
      const { stdout } = await program([command, ...args, "--json"], { cwd })
      const shown = [...(shapes.get(command) ?? "").matchAll(/(\w+):/g)].map(([, key = ""]) => key)
      return shapeOf(JSON.parse(stdout), shown)
    }
    const ran = shapes.get("run") ?? ""

    expect(await printed("run", "Hi", "--model", "script:script.json", "--dir", "logs")).toBe(
      ran.replace(", error?", ""),
    )
    expect(await printed("run", "Hi", "--model", "script:bad.json")).toBe(ran.replace("?", ""))
    expect(await printed("list", "--dir", "logs")).toBe(shapes.get("list"))
    expect(await printed("show", "unlawful.jsonl")).toBe(shapes.get("show"))
    expect(await printed("check", "unlawful.jsonl")).toBe(shapes.get("check"))
  })

  it("has the exit codes of wrong usage and of what cannot be read", async () => {
    const ends = await Promise.all([program(["run"]), program(["show", "no-such-log"])])
    expect(ends.map(({ code }) => code)).toEqual([2, 3])
    expect(rowsOf(sectionOf(text, "Exit codes")).map(([code]) => code)).toEqual([
      "0",
      "1",
      "2",
      "3",
      "129",
      "130",
      "143",
    ])
  })

  it("has the defaults", async () => {
    const standard = flags.filter((flag) => flag.standard !== "")
    expect(standard.map((flag) => [flag.name, flag.standard])).toEqual([
      ["--limit", "20"],
      ["--dir", ".effect-harness/sessions"],
      ["--workspace", "."],
    ])
    const { stderr } = await program(["list"])
    expect(stderr).toBe("no sessions in .effect-harness/sessions\n")
  })
})
