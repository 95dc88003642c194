/** What a tool calls sensitive is in the log file and nowhere else, however a model writes it. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type Ended, folderWith, program, script } from "./program.ts"
import { logIn } from "./turn.ts"

const secret = "hunter2-correct-horse"

const login = `import { Projection, StrictTools, Toolbox, defineTool, Tool } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)}
import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
const login = defineTool({ name: "login", description: "", parameters: {
    user: { type: "string", required: true },
    token: { type: "string", sensitive: true, required: true },
    pin: { type: "integer", sensitive: true },
    other: { type: "object", properties: { key: { type: "string", sensitive: true } } } },
  run: ({ user, token }) => Effect.succeed("welcome " + user + " " + token.length) })
const raw = Tool.raw({ name: "connect", description: "", validate: true, parameters: { type: "object",
    properties: { key: { type: "string", maxLength: 3, writeOnly: true } }, required: ["key"] },
  run: () => Effect.succeed("connected") })
const box = Toolbox.make(login.pipe(Tool.lenient(["number-from-text", "json-from-text", "json-repair"])), raw)
`
const plain = "export default box"
const strict = "export default StrictTools.project(box, Projection.openAi)"

const good = { user: "ada", token: secret }
const texts: ReadonlyArray<readonly [tool: string, text: string]> = [
  ["login", JSON.stringify(good)],
  ["login", JSON.stringify({ ...good, pin: secret })],
  ["login", JSON.stringify({ user: "ada", tokn: secret })],
  ["login", JSON.stringify({ ...good, other: secret })],
  ["login", JSON.stringify({ ...good, other: { kee: secret } })],
  ["login", JSON.stringify({ ...good, other: JSON.stringify({ key: secret }) })],
  ["login", JSON.stringify({ user: 1, token: [secret] })],
  ["login", JSON.stringify(JSON.stringify(good))],
  ["login", JSON.stringify([good])],
  ["login", `{"user":"ada","token":${secret}}`],
  ["login", `${JSON.stringify(good)} and that was ${secret}`],
  ["login", `{"${secret}":1,"${secret}":2}`],
  ["login", `{user: 'ada', token: '${secret}'}`],
  ["login", secret],
  ["logn", JSON.stringify(good)],
  ["connect", JSON.stringify({ key: secret })],
  ["connect", JSON.stringify({ kee: secret })],
  ["connect", `{"key":"${secret}`],
]

const home = (box: string, answer = "done") =>
  folderWith({
    "tools.mjs": login + box,
    "script.json": script(
      { calls: texts.map(([name, text]) => ({ name, arguments: text })) },
      { text: answer },
    ),
  })

const flags = ["--model", "script:script.json", "--tools", "./tools.mjs"]

const told = ({ stdout, stderr }: Ended): string => stdout + stderr

describe("a secret at the command line", () => {
  it.each([
    ["as they are", plain],
    ["projected for a strict mode", strict],
  ])(
    "is on no stream, and whole in the log, with tools %s",
    async (_, box) => {
      const cwd = home(box, `done with ${secret}`)
      const ran = await program(["run", `my token is ${secret}`, ...flags], { cwd })
      expect(ran.code).toBe(0)
      const log = logIn(cwd)
      const streams = {
        run: await program(["run", "go", ...flags], { cwd: home(box) }),
        "run --json": await program(["run", "go", ...flags, "--json"], { cwd: home(box) }),
        chat: await program(["chat", ...flags], { cwd: home(box), input: "go\n" }),
        show: await program(["show", log], { cwd }),
        "show --json": await program(["show", log, "--json"], { cwd }),
        export: await program(["export", log], { cwd }),
        "export --json": await program(["export", log, "--json"], { cwd }),
        check: await program(["check", log], { cwd }),
        list: await program(["list", "--json"], { cwd }),
      }
      const leaks = Object.entries(streams).filter(([, ended]) => told(ended).includes(secret))
      expect(leaks.map(([name, ended]) => [name, told(ended)])).toEqual([])
      for (const name of ["run", "chat", "show", "export"] as const)
        expect(told(streams[name])).toMatch(/hmac:[0-9a-f]{16}/)
      expect(readFileSync(log, "utf8").split(secret).length).toBeGreaterThan(texts.length)
      const results = readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes('"tool/result"'))
      expect(results.length).toBe(texts.length)
      expect(results.filter((line) => line.includes(secret))).toEqual([])
      expect(told(await program(["show", log, "--raw"], { cwd }))).toContain(secret)
    },
    60_000,
  )
})
