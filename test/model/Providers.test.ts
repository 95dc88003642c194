import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { build } from "esbuild"
import { describe, expect } from "vitest"
import * as Providers from "../../src/model/Providers.ts"
import { ask, key } from "./answers.ts"
import { chat, messages, messagesEnd, serve } from "./replay.ts"

type Env = Readonly<Record<string, string>>

const find = (name: string, env: Env) =>
  Providers.fromName(name).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
  )

const all = "openai, openai-compatible, deepseek, anthropic"

const refusals: ReadonlyArray<readonly [string, Env, string, string]> = [
  [
    "acme:m",
    {},
    "PROVIDER_UNKNOWN",
    `model name "acme:m" has no known provider; write PROVIDER:NAME with one of: ${all}`,
  ],
  [
    "gpt-5",
    {},
    "PROVIDER_UNKNOWN",
    `model name "gpt-5" has no known provider; write PROVIDER:NAME with one of: ${all}`,
  ],
  [
    "constructor:m",
    {},
    "PROVIDER_UNKNOWN",
    `model name "constructor:m" has no known provider; write PROVIDER:NAME with one of: ${all}`,
  ],
  [
    "openai:",
    {},
    "PROVIDER_UNKNOWN",
    `model name "openai:" names no model; write PROVIDER:NAME with one of: ${all}`,
  ],
  ["openai:m", {}, "PROVIDER_NOT_CONFIGURED", "openai needs a key: set OPENAI_API_KEY"],
  ["openai:m", { OPENAI_API_KEY: "" }, "PROVIDER_NOT_CONFIGURED", "openai needs a key: set OPENAI_API_KEY"],
  [
    "deepseek:m",
    { OPENAI_API_KEY: key },
    "PROVIDER_NOT_CONFIGURED",
    "deepseek needs a key: set DEEPSEEK_API_KEY",
  ],
  ["anthropic:m", {}, "PROVIDER_NOT_CONFIGURED", "anthropic needs a key: set ANTHROPIC_API_KEY"],
  [
    "openai-compatible:m",
    { OPENAI_API_KEY: key },
    "PROVIDER_NOT_CONFIGURED",
    "openai-compatible needs a base URL: set OPENAI_BASE_URL",
  ],
  [
    "openai:m",
    { OPENAI_API_KEY: key, OPENAI_BASE_URL: "localhost:1" },
    "PROVIDER_NOT_CONFIGURED",
    "OPENAI_BASE_URL is no http or https URL",
  ],
  [
    "openai:m",
    { OPENAI_API_KEY: key, OPENAI_BASE_URL: "https://me:secret@example.com/v1" },
    "PROVIDER_NOT_CONFIGURED",
    "OPENAI_BASE_URL holds a user or a password, which cannot be sent",
  ],
  [
    "openai:m",
    { OPENAI_API_KEY: " \n" },
    "PROVIDER_NOT_CONFIGURED",
    "openai needs a key: set OPENAI_API_KEY",
  ],
  ...["two\nlines", "two words", "schlüssel"].map(
    (wrong) =>
      [
        "openai:m",
        { OPENAI_API_KEY: wrong },
        "PROVIDER_NOT_CONFIGURED",
        "OPENAI_API_KEY is no key: it holds white space or a special character",
      ] as const,
  ),
]

describe("a model name", () => {
  it.effect.each(refusals)("%s with %o is %s", ([name, env, code, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(find(name, env))
      expect(error).toMatchObject({ code, message, retry: "never" })
    }),
  )

  it.effect("stands in the log as it was written", () =>
    Effect.gen(function* () {
      const model = yield* find("openai:org/model:7b", { OPENAI_API_KEY: key })
      expect(model.name).toBe("openai:org/model:7b")
    }),
  )

  it.effect("of an openai-compatible server needs no key", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve({ body: chat({ content: "ok" }, { finish_reason: "stop" }) })
      const model = yield* find("openai-compatible:m", { OPENAI_BASE_URL: `${url}/v1` })
      expect((yield* ask(model)).error).toBeUndefined()
      expect(requests[0]?.path).toBe("/v1/chat/completions")
      expect(requests[0]?.headers.authorization).toBeUndefined()
    }),
  )

  it.effect("is asked with the key as it is without the white space around it, which no error repeats", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve({ status: 401, body: [`{"error":{"message":"no key ${key}"}}`] })
      const model = yield* find("openai:m", { OPENAI_API_KEY: ` ${key}\r\n`, OPENAI_BASE_URL: url })
      expect((yield* ask(model)).error?.message).toBe("the provider answered 401: no key [redacted]")
      expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    }),
  )

  it.effect("of anthropic goes to /v1 when the base URL has no path, and as given when it has", () =>
    Effect.gen(function* () {
      for (const [path, expected] of [
        ["", "/v1/messages"],
        ["/", "/v1/messages"],
        ["/proxy/v1", "/proxy/v1/messages"],
      ]) {
        const { url, requests } = yield* serve({ body: messages([], messagesEnd("end_turn")) })
        const model = yield* find("anthropic:m", {
          ANTHROPIC_API_KEY: key,
          ANTHROPIC_BASE_URL: `${url}${path}`,
        })
        yield* ask(model)
        expect(requests[0]?.path).toBe(expected)
        expect(requests[0]?.headers["x-api-key"]).toBe(key)
      }
    }),
  )
})

const program = `
import { Effect } from "effect"
import { fromName } from "./src/model/Providers.ts"
for (const name of ["openai:m", "deepseek:m", "anthropic:m"]) {
  console.log((await Effect.runPromise(Effect.flip(fromName(name)))).message)
}`

describe("a provider package that is not installed", () => {
  it("is told with the command that installs it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "effect-harness-"))
    try {
      const outfile = join(folder, "program.mjs")
      const root = new URL("../../", import.meta.url).pathname
      const stdin = { contents: program, resolveDir: root, loader: "ts" } as const
      await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", external: ["@ai-sdk/*"] })
      const env = { OPENAI_API_KEY: key, DEEPSEEK_API_KEY: key, ANTHROPIC_API_KEY: key }
      const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env, cwd: folder })
      expect(stdout.trim().split("\n")).toEqual(
        ["openai-compatible@3", "deepseek@3", "anthropic@4"].map(
          (name) => `@ai-sdk/${name} is not installed; run: npm install @ai-sdk/${name}`,
        ),
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
