/** Every rule names a fault that is planted for it in a small tree that is otherwise lawful. */
import { describe, expect, it } from "vitest"
import { check } from "./check.ts"
import { type Rule, rules } from "./Module.ts"
import { plan } from "./rooms.ts"

const comment = "/**\n * What it is.\n */\n"
const module = (...lines: ReadonlyArray<string>): string => `${comment}${lines.join("\n")}\n`
const lines = (count: number, line: string): string => Array.from({ length: count }, () => line).join("\n")

/** In two parts, for this file is checked too. */
const home = ["/ho", "me/somebody/file"].join("")

const lawful: Readonly<Record<string, string>> = {
  "src/index.ts": module(
    'export * as HarnessError from "./error/HarnessError.ts"',
    'export * as Tool from "./tool/Tool.ts"',
    'export * as Model from "./model/Model.ts"',
    'export * as SessionLog from "./session/SessionLog.ts"',
    'export * as Agent from "./loop/Agent.ts"',
  ),
  "src/invariants.ts": module('export { DevInvariants } from "./invariant/DevInvariants.ts"'),
  "src/ai-sdk.ts": module('export * as AiSdkModel from "./model/AiSdkModel.ts"'),
  "src/error/HarnessError.ts": module('import { Schema } from "effect"', "export const base = Schema.String"),
  "src/message/Digest.ts": module(
    'import { createHash } from "node:crypto"',
    "export const sha = createHash",
  ),
  "src/tool/Tool.ts": module(
    'import { Effect } from "effect"',
    'import type { base } from "../error/HarnessError.ts"',
    'import { decode } from "./decode.ts"',
    'export type { Decoded } from "./decode.ts"',
    "const label = ['a'] as const",
    "export const make = (x: typeof base) => Effect.gen(function* () {",
    "  yield* Effect.log(label, x)",
    "  return yield* Effect.runFork(decode).await",
    "})",
    "Effect.runFork(make).unsafe",
    "make.pipe(Effect.runFork)",
  ),
  "src/tool/decode.ts": module(
    'import * as Effect from "effect/Effect"',
    "export const decode = Effect.void",
  ),
  "src/model/Model.ts": module("export const model = 1"),
  "src/model/AiSdkModel.ts": module('import type { X } from "@ai-sdk/provider"', "export type Y = X"),
  "src/session/SessionLog.ts": module("export const open = 1"),
  "src/loop/Agent.ts": module('import * as Tool from "../tool/Tool.ts"', "export const agent = Tool.make"),
  "src/invariant/DevInvariants.ts": module("export const DevInvariants = 1"),
  "src/cli/main.ts": module('import { readFileSync } from "node:fs"', "readFileSync('a')"),
  "test/tool/Tool.test.ts": 'import { make } from "../../src/tool/Tool.ts"\nmake\n',
}

/** Where the fault is planted, what then stands there, and where it is named when that is another place. */
interface Planted {
  readonly rule: Rule
  readonly of: string
  readonly file: string
  readonly text: string
  readonly namedAt?: string
  /** What else the same fault breaks. */
  readonly also?: ReadonlyArray<string>
  readonly more?: Readonly<Record<string, string>>
}

const inTool = (rule: Rule, of: string, ...code: ReadonlyArray<string>): Planted => ({
  rule,
  of,
  file: "src/tool/planted.ts",
  text: module(...code),
})
const inTest = (rule: Rule, of: string, ...code: ReadonlyArray<string>): Planted => ({
  rule,
  of,
  file: "test/tool/Planted.test.ts",
  text: code.join("\n"),
})
const floating = (of: string, ...code: ReadonlyArray<string>): Planted =>
  inTool("effect.floating", of, 'import { Effect, Layer, Stream } from "effect"', ...code)

const planted: ReadonlyArray<Planted> = [
  {
    rule: "room.known",
    of: "a folder without a plan",
    file: "src/attic/Box.ts",
    text: module("export const x = 1"),
  },
  inTool("room.allowed", "tool imports session", 'import { open } from "../session/SessionLog.ts"', "open"),
  inTool(
    "room.allowed",
    "a type import",
    'import type { open } from "../session/SessionLog.ts"',
    "export type X = open",
  ),
  inTool("room.allowed", "a dynamic import", 'export const x = import("../session/SessionLog.ts")'),
  inTool("room.allowed", "a type query", 'export type X = typeof import("../session/SessionLog.ts")'),
  inTool("room.allowed", "an entry point", 'import { Model } from "../index.ts"', "Model"),
  inTool("room.outside", "node in the wrong room", 'import { readFileSync } from "node:fs"', "readFileSync"),
  inTool("room.outside", "an unstable part of effect", 'import { Http } from "effect/http"', "Http"),
  {
    rule: "room.outside",
    of: "the right package in the wrong file",
    file: "src/model/Other.ts",
    text: module('import type { X } from "@ai-sdk/provider"', "export type Y = X"),
  },
  {
    rule: "room.oneFile",
    of: "a second file with node",
    file: "src/toolkit/Second.ts",
    text: module('import { x } from "node:os"', "x"),
    more: { "src/toolkit/First.ts": module('import { x } from "node:fs"', "x") },
  },
  {
    rule: "room.visibility",
    of: "another folder's private file",
    file: "src/loop/planted.ts",
    text: module('import { decode } from "../tool/decode.ts"', "decode"),
  },
  {
    rule: "room.visibility",
    of: "a private file at an entry point",
    file: "src/index.ts",
    text: module('export * as decode from "./tool/decode.ts"'),
  },
  inTool("room.barrel", "export from", 'export { decode } from "./decode.ts"'),
  inTool("room.barrel", "types of a public module", 'export type { Tool } from "./Tool.ts"'),
  inTool("room.barrel", "export of an import", 'import { decode } from "./decode.ts"', "export { decode }"),
  inTool("room.barrel", "export all", 'export * from "./decode.ts"'),
  inTool("import.target", "a file that is not there", 'import { x } from "./gone.ts"', "x"),
  {
    rule: "import.cycle",
    of: "a circle of types",
    namedAt: "src/model/Back.ts",
    file: "src/model/Planted.ts",
    text: module('import type { b } from "./Back.ts"', "export const a: typeof b = 1"),
    more: {
      "src/model/Back.ts": module('import type { a } from "./Planted.ts"', "export const b: typeof a = 1"),
    },
  },
  {
    rule: "door.known",
    of: "a door without a plan",
    file: "src/extra.ts",
    text: module('export * from "./tool/Tool.ts"'),
  },
  {
    rule: "door.exports",
    of: "a room that is not its own",
    file: "src/invariants.ts",
    text: module('export * as Tool from "./tool/Tool.ts"'),
  },
  {
    rule: "door.complete",
    of: "a module nobody can have",
    file: "src/tool/Planted.ts",
    text: module("export const x = 1"),
  },
  {
    rule: "door.onlyExports",
    of: "code at a door",
    file: "src/index.ts",
    text: module("export const x = 1"),
  },
  {
    rule: "door.reach",
    of: "a far way to invariant",
    file: "src/loop/planted.ts",
    text: module('import "../invariant/DevInvariants.ts"'),
    more: { "src/loop/Agent.ts": module('import "./planted.ts"') },
    namedAt: "src/index.ts",
    also: ["src/loop/planted.ts room.allowed"],
  },
  {
    rule: "door.reach",
    of: "a far way to an optional package",
    file: "src/index.ts",
    text: module('export * as AiSdkModel from "./model/AiSdkModel.ts"'),
  },
  inTool("size.file", "301 lines", lines(301, "let x")),
  inTool("size.function", "81 lines", "export const f = () => {", lines(79, "f"), "}"),
  {
    rule: "size.room",
    of: "15 files",
    file: "src/loop/File0.ts",
    text: module("export const x = 1"),
    more: Object.fromEntries(
      Array.from({ length: 13 }, (_, n) => [`src/loop/File${n + 1}.ts`, module("export const x = 1")]),
    ),
    namedAt: "src/loop",
  },
  inTool("cast.any", "as any", "export const x = 1 as any"),
  inTest("cast.any", "as any in a test", "export const x = <any>1"),
  inTool("cast.double", "as unknown as", "export const x = 1 as unknown as string"),
  inTool("cast.nonNull", "an exclamation mark", "export const f = (x?: number) => x!"),
  { rule: "comment.module", of: "no comment", file: "src/tool/planted.ts", text: "export const x = 1\n" },
  {
    rule: "comment.module",
    of: "a comment of the first line of code",
    file: "src/tool/planted.ts",
    text: "/** The x. */\nexport const x = 1\n",
  },
  inTool("comment.unfinished", "work left", "// TODO later", "export const x = 1"),
  inTest("test.sleep", "a timer", "await new Promise((wake) => setTimeout(wake, 10))"),
  inTest("test.sleep", "a timer of globalThis", "globalThis.setTimeout(() => 1, 10)"),
  inTest(
    "test.sleep",
    "a promised timer",
    'import { setTimeout as sleep } from "node:timers/promises"',
    "sleep(1)",
  ),
  inTest("test.sleep", "a thread that waits", "Atomics.wait(cell, 0, 0, 10)"),
  inTest("test.sleep", "a sleep without a TestClock", 'Effect.sleep("1 second")'),
  inTest("test.sleep", "a pipe that delays", 'x.pipe(Effect.delay("1 second"))'),
  inTest("test.sleep", "a pause between", 'Effect.repeat(x, Schedule.spaced("1 second"))'),
  inTest(
    "test.sleep",
    "a sleep under the live clock",
    'import { TestClock } from "effect/testing"',
    'it.effect("a", () => Effect.andThen(Effect.sleep(1), TestClock.adjust(1)))',
    'it.live("b", () => Effect.sleep(1))',
  ),
  inTest("test.sleep", "a timer that is handed on", "const wait = promisify(setTimeout)"),
  inTest("test.sleep", "a timer that is required", 'const timers = require("node:timers/promises")'),
  inTest("test.sleep", "a signal that has a time limit", "x(AbortSignal.timeout(10))"),
  inTest("test.sleep", "a scheduler that waits", "await scheduler.wait(10)"),
  inTest("test.sleep", "a runner that looks again and again", "await vi.waitFor(() => x())"),
  inTest("test.sleep", "a runner that waits until", "await vi.waitUntil(() => x())"),
  inTest("test.sleep", "an assertion that polls", "await expect.poll(() => x()).toBe(1)"),
  inTest("test.sleep", "a process that sleeps", 'execSync("sleep 1")'),
  inTest("test.sleep", "a process of a module that sleeps", 'child.spawnSync("sleep", ["1"])'),
  inTest("test.sleep", "a loop until a time", "while (Date.now() < end) {}"),
  inTest("test.sleep", "a loop at least once until a time", "do {} while (performance.now() < end)"),
  inTest("test.sleep", "a loop without a body", "for (; process.hrtime.bigint() < end; );"),
  inTest("test.sleep", "a timer that is computed", 'const name = "setTimeout"', "globalThis[name](x, 10)"),
  inTest("test.sleep", "a timer in brackets", 'globalThis["setTimeout"](x, 10)'),
  inTest("test.sleep", "a function by itself", 'import { sleep } from "effect/Effect"', "sleep(10)"),
  inTest(
    "test.sleep",
    "a function by another name",
    'import { sleep as nap } from "effect/Effect"',
    "const x = nap(10)",
  ),
  inTest("test.sleep", "a module by another name", 'import { Effect as E } from "effect"', "x(E.sleep(10))"),
  inTest("test.sleep", "a file by another name", 'import * as Fx from "effect/Effect"', "x(Fx.sleep(10))"),
  inTest("test.sleep", "a name for a sleep", "const nap = Effect.sleep"),
  inTest("test.sleep", "a sleep that is taken out", "const { sleep } = Effect"),
  inTest("test.sleep", "a sleep in brackets", 'x(Effect["sleep"](10))'),
  inTest("test.sleep", "a sleep that is handed on", "Effect.forEach(durations, Effect.sleep)"),
  ...["Effect.timeout(x, 10)", "Schedule.exponential(10)", 'Stream.debounce(x, "1 second")'].map((code) =>
    inTest(
      "test.sleep",
      `${code} under the live clock`,
      'import { TestClock } from "effect/testing"',
      'it.effect("a", () => TestClock.adjust(1))',
      `it.live("b", () => f(${code}))`,
    ),
  ),
  inTest(
    "test.sleep",
    "a sleep that is run beside a TestClock",
    'import { TestClock } from "effect/testing"',
    'it("a", () => Effect.runPromise(Effect.sleep(1)))',
  ),
  inTest("test.sleep", "a TestClock in a comment only", "// TestClock", 'x("TestClock", Effect.sleep(10))'),
  inTest(
    "test.sleep",
    "a TestClock of the types only",
    'import type { TestClock } from "effect/testing"',
    "x(Effect.sleep(10))",
  ),
  inTest("text.machinePath", "a home", `export const x = "${home}"`),
  floating("a call", "export const f = () => {", '  Effect.log("lost")', "}"),
  floating("a call that is not yielded", "Effect.gen(function* () {", "})"),
  floating("a yield without its star", "export const f = function* () {", '  yield Effect.log("lost")', "}"),
  floating("a pipe", "declare const x: typeof Effect.void", "x.pipe(Effect.asVoid)"),
  floating(
    "a pipe that ends in a call",
    "declare const x: typeof Effect.void",
    'x.pipe(Effect.delay("1 second"))',
  ),
  floating("a stream", "Stream.make(1).pipe(Stream.runDrain, Effect.asVoid)"),
  floating("a layer", "Layer.empty.pipe(Layer.provide(Layer.empty))"),
  floating("void", "void Effect.void"),
  floating("a method of a service", "declare const session: Session", 'session.append("written", () => [])'),
  floating("a method of a service in a part", "declare const parts: Parts", "parts.agent.abort()"),
  floating("one side of a choice", "declare const x: boolean", "x && Effect.void"),
  floating("a function of the same file", 'const f = Effect.fn("f")(function* () {})', "f()"),
  floating("an arrow of the same file", "const f = () => Effect.void.pipe(Effect.asVoid)", "f()"),
  inTest("effect.floating", "a module import", 'import * as Fx from "effect/Effect"', "Fx.log(1)"),
]

describe("a planted fault", () => {
  it("is absent from the lawful tree", () => {
    expect(check(plan, new Map(Object.entries(lawful)))).toEqual([])
  })

  it("exists for every rule", () => {
    expect(rules.filter((rule) => !planted.some((fault) => fault.rule === rule))).toEqual([])
  })

  for (const { also = [], file, more, namedAt, of, rule, text } of planted) {
    it(`is named by ${rule}: ${of}`, () => {
      const faults = check(plan, new Map(Object.entries({ ...lawful, ...more, [file]: text })))
      // A fault at a door, or in a new public file, leaves modules without a door besides.
      const named = faults.filter((fault) => fault.rule === rule || fault.rule !== "door.complete")
      expect(named.map((fault) => `${fault.file} ${fault.rule}`)).toEqual([
        `${namedAt ?? file} ${rule}`,
        ...also,
      ])
    })
  }
})
