/** docs/how-to/use-a-provider.md has the providers that there are, with their packages and variables. */
import { readFileSync } from "node:fs"
import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Providers from "../../src/model/Providers.ts"
import { codesOf, page, rowsOf } from "./Page.ts"

const rows = rowsOf(page("docs/how-to/use-a-provider.md")).map(
  ([name = "", install = "", variables = ""]) => ({
    name: codesOf(name).join(),
    install: codesOf(install).join(),
    needed: codesOf(variables).filter((variable) => !variable.endsWith("?")),
  }),
)

const values: Readonly<Record<string, string>> = { KEY: "k", URL: "http://localhost:1/v1" }

/** Which variable is missing when these are set; nothing when the model can be made. */
const missing = (provider: string, variables: ReadonlyArray<string>): Promise<string | undefined> => {
  const env = Object.fromEntries(variables.map((name) => [name, values[name.slice(-3)] ?? ""]))
  return Providers.fromName(`${provider}:any`).pipe(
    Effect.as(undefined),
    Effect.catchTag("ProviderNotConfigured", ({ variable }) => Effect.succeed(variable)),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
    Effect.runPromise,
  )
}

describe("the page of providers", () => {
  it("has every provider, and no other", () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...Providers.names].sort())
  })

  it.each(rows)("has the variables that $name needs", async ({ name, needed }) => {
    expect(await missing(name, needed)).toBeUndefined()
    for (const variable of needed) {
      expect(
        await missing(
          name,
          needed.filter((other) => other !== variable),
        ),
      ).toBe(variable)
    }
  })

  it("has the packages to install", () => {
    const source = readFileSync("src/model/Providers.ts", "utf8")
    const packages = [...source.matchAll(/package: "(\S+)"/g)].map(([, name = ""]) => `npm install ${name}`)
    expect(rows.map(({ install }) => install).sort()).toEqual(packages.sort())
  })
})
