/** What a rules module may export, and what is said of one that exports something else. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { describe, expect } from "vitest"
import * as Verifier from "../../src/invariant/Verifier.ts"
import { story } from "../../src/mutant/Story.ts"
import * as Explanation from "../../src/verdict/Explanation.ts"
import * as OwnRules from "../../src/verdict/OwnRules.ts"
import { inFolder } from "./files.ts"

const built = (name: string) => JSON.stringify(pathToFileURL(`dist/${name}.js`).href)
const rule = `import { invariants } from "./lib.mjs"
const { Rule } = invariants
const about = { statement: "It holds.", hint: "Mend it." }
const never = (id, step = (state) => state) => Rule.make({ ...about, id, initial: 0, step })`
const type = `${rule}
import { Schema, index } from "./lib.mjs"
const Charge = index.EventType.make({ name: "acme:charge", version: 1, schema: Schema.Struct({ cents: Schema.Int }) })`

/** What comes of a module of this text, in the words of a failure or as rules. */
const load = (...texts: ReadonlyArray<string>) => {
  const files = Object.fromEntries(texts.map((text, at) => [`m${at}.mjs`, text]))
  const lib = `export * as invariants from ${built("invariants")}
export * as index from ${built("index")}
export { Schema } from ${JSON.stringify(import.meta.resolve("effect"))}`
  return inFolder({ ...files, "lib.mjs": lib }, (folder) =>
    Effect.result(OwnRules.load(Object.keys(files).map((name) => join(folder, name)))),
  )
}

const idsOf = (loaded: Effect.Success<ReturnType<typeof load>>) =>
  Result.map(loaded, (rules) => rules.map(({ id }) => id))

describe("a rules module", () => {
  it.live.each([
    [`${rule}\nexport const one = never("acme.one"), two = never("acme.two")`],
    [`${rule}\nexport default [never("acme.one"), never("acme.two")]`],
    [`${rule}\nexport const one = never("acme.one"), all = [one, never("acme.two")]\nexport default all`],
  ] as const)("exports rules by name or in arrays, each once: %#", ([text]) =>
    Effect.map(load(text), (loaded) =>
      expect(idsOf(loaded)).toEqual(Result.succeed(["acme.one", "acme.two"])),
    ),
  )

  it.live("may be one of several", () =>
    Effect.map(
      load(`${rule}\nexport default never("acme.one")`, `${rule}\nexport default never("beta.two")`),
      (loaded) => expect(idsOf(loaded)).toEqual(Result.succeed(["acme.one", "beta.two"])),
    ),
  )

  it.live.each([
    ["export const help = () => 1", 'exports "help", which is no rule: it is to export'],
    [`${rule}\nexport default [never("acme.one"), 7]`, 'exports "default[1]", which is no rule'],
    ["", "exports no rules: it is to export"],
    ["export default []", "exports no rules: it is to export"],
    [
      `${rule}\nexport default { ...never("acme.one"), id: "budget" }`,
      'a rule whose id "budget" has not the form group.name',
    ],
    [
      `${rule}\nexport default Rule.live({ ...about, id: "acme.live", initial: 0, step: (state) => state })`,
      "a rule of Rule.live, which a stored log is not enough for",
    ],
    [`${rule}\nexport default never("turn.nests")`, 'two rules have the id "turn.nests"'],
    [`${rule}\nexport default never("store.ackDurable")`, 'two rules have the id "store.ackDurable"'],
    [
      `${rule}\nexport default [never("acme.one"), never("acme.one")]`,
      'two rules have the id "acme.one"; rules of your own want a group of their own, such as acme.one',
    ],
    [`${type}\nexport default [Charge, { ...Charge }]`, 'two event types have the name "acme:charge"'],
  ] as const)("that exports something else is wrong usage: %s", ([text, words]) =>
    Effect.map(load(text), (loaded) =>
      expect(Result.flip(loaded)).toMatchObject({
        success: { _tag: "WrongUsage", message: expect.stringContaining(words) },
      }),
    ),
  )

  it.live.each([
    ["throw new Error('boo')", /^the rules module ".*m0.mjs" does not load: boo$/],
    ['import "./nothing.mjs"', /does not load: Cannot find module '[^']*nothing.mjs'$/],
    ["export default [", /does not load: ./],
    [`${rule}\nexport default never("budget")`, /does not load: the id "budget" of a rule has not the form/],
    [
      `${rule}\nexport default Rule.make({ ...about, id: "acme.one", on: ["tool/cal"], initial: 0, step: (state) => state })`,
      /does not load: rule acme.one looks at "tool\/cal", which is no type of event.*did you mean "tool\/call"/,
    ],
  ] as const)("that does not load is unreadable: %s", ([text, words]) =>
    Effect.map(load(text), (loaded) =>
      expect(Result.flip(loaded)).toMatchObject({
        success: { _tag: "Unreadable", message: expect.stringMatching(words) },
      }),
    ),
  )
})

const start = {
  seq: 0,
  at: 0,
  type: "session/start",
  data: { version: 1, id: "shop", createdAt: 0 },
} as const
const charge = (seq: number, data: object) => ({ seq, at: 0, type: "acme:charge", data }) as const

describe("a rule of the user's", () => {
  it.live("is told of events beside ours, and so is one that holds event types to what they say", () =>
    Effect.gen(function* () {
      const budget = `Rule.over(Charge, { ...about, id: "acme.budget", initial: 0, step: (spent, { cents }) =>
        spent + cents > 500 ? new Rule.Broken(spent, ["too much"]) : spent + cents })`
      const rules = Result.getOrThrow(
        yield* load(`${type}\nexport { Charge }\nexport const budget = ${budget}`),
      )
      const log = [start, charge(1, { cents: 501 }), charge(2, { cents: "one" }), charge(3, { cents: 500 })]
      const found = Verifier.verify(log, { rules }).map(({ rule, seq }) => [rule, seq])
      expect(found).toEqual([
        ["acme.budget", 1],
        ["extension.fits", 2],
        ["acme.budget", 2],
      ])
    }),
  )

  it.live.each([
    ["(state, event) => event.seq < 2 ? state : event.data.no.such", /Cannot read properties of undefined/],
    [
      '(state, event) => event.seq < 2 ? state : new Rule.Broken(state, "words")',
      /a list of lines, one at least/,
    ],
    ["(state, event) => event.seq < 2 ? state : new Rule.Broken(state, [])", /a list of lines, one at least/],
    ["(state, event) => event.seq < 2 ? state : Promise.resolve(state)", /its step gives a promise/],
  ] as const)("that fails breaks once, and says so: %s", ([step, words]) =>
    Effect.gen(function* () {
      const rules = Result.getOrThrow(yield* load(`${rule}\nexport default never("acme.one", ${step})`))
      const message = expect.stringMatching(words)
      expect(Verifier.verify(story, { rules })).toMatchObject([{ rule: "acme.one", seq: 2, message }])
    }),
  )

  it.live("breaks as often as it says, and keeps its state", () =>
    Effect.gen(function* () {
      const step = "(state, event) => event.seq % 2 === 0 ? state + 1 : new Rule.Broken(state, [`${state}`])"
      const rules = Result.getOrThrow(yield* load(`${rule}\nexport default never("acme.one", ${step})`))
      const found = Verifier.verify(story.slice(0, 5), { rules }).map(({ seq, message }) => [seq, message])
      expect(found).toEqual([
        [1, "1"],
        [3, "2"],
      ])
    }),
  )

  it.live("is explained and picked as ours are, and never always on", () =>
    Effect.gen(function* () {
      const mode = `{ ...about, id: "acme.two", mode: "A", initial: 0, step: (state) => state }`
      const rules = Result.getOrThrow(
        yield* load(`${rule}\nexport default [never("acme.one"), Rule.make(${mode})]`),
      )
      const found = yield* Explanation.find(["acme"], rules)
      expect(found.map(({ rule, mode }) => [rule, mode])).toEqual([
        ["acme.one", "D"],
        ["acme.two", "D"],
      ])
      expect(Explanation.all(rules).map(({ rule }) => rule)).toContain("acme.two")
      const { log } = yield* Explanation.select({ except: ["acme.one"], rules })
      expect(log.map(({ id }) => id)).toContain("acme.two")
      expect(log.map(({ id }) => id)).not.toContain("acme.one")
      expect(yield* Effect.flip(Explanation.find(["acme.tow"], rules))).toMatchObject({
        message: expect.stringContaining('did you mean "acme.two"'),
      })
    }),
  )
})
