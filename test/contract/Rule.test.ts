import { DateTime, Schema, SchemaGetter } from "effect"
import { describe, expect, it } from "vitest"
import * as Course from "../../src/contract/Course.ts"
import * as Rule from "../../src/contract/Rule.ts"
import * as EventType from "../../src/event/EventType.ts"
import { type EventDraft, payloads, type SessionEvent } from "../../src/event/SessionEvent.ts"
import { drafts, find, number } from "../../src/mutant/Story.ts"

const about = { statement: "s", hint: "h" }

const run = (rules: ReadonlyArray<Rule.Rule>, log: ReadonlyArray<SessionEvent>) => {
  const broken: Array<string> = []
  let course = Course.ofLog(rules)
  for (const event of log)
    course = course.advance(event, ({ id }, message) => broken.push(`${id} ${event.seq}: ${message}`))
  return broken
}

describe("a rule over events", () => {
  it("is told only the types that it names, and where the log stood", () => {
    const told: Array<string> = []
    const rule = Rule.make({
      ...about,
      id: "acme.told",
      on: ["tool/call", "turn/end"],
      initial: undefined,
      step: (_, event, { turn, step }) => void told.push(`${event.type} in ${turn}.${step}`),
    })
    run([rule], number(drafts))
    expect(told).toEqual([
      "tool/call in 1.1",
      "tool/call in 1.1",
      "turn/end in 1.0",
      "tool/call in 2.1",
      "turn/end in 2.0",
    ])
    expect([rule.mode, rule.sees]).toEqual(["D", "log"])
  })

  it("is told everything when it names nothing", () => {
    let count = 0
    const step = () => void count++
    run([Rule.make({ ...about, id: "acme.all", initial: undefined, step })], number(drafts))
    expect(count).toBe(drafts.length)
  })

  it("stays out of it when it is stepped over a type that it does not name", () => {
    const rule = Rule.make({ ...about, id: "acme.on", on: ["error"], initial: 0, step: (n) => n + 1 })
    const [event] = number(drafts)
    const place = { turn: 0, latestTurn: 0, step: 0, latestStep: 0, stepsEntered: 0 }
    expect(event && rule.fold.step(event, place)).toBe(rule.fold)
  })

  it("goes on after a break, from the state that it gave", () => {
    const rule = Rule.make({
      ...about,
      id: "acme.count",
      on: ["tool/call"],
      initial: 1,
      step: (count) => new Rule.Broken(count + 1, [`${count}`]),
    })
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map((n) => find("tool/call", n))
    expect(run([rule], number(drafts))).toEqual([
      `acme.count ${first}: 1`,
      `acme.count ${second}: 2`,
      `acme.count ${third}: 3`,
    ])
  })
})

describe("a rule that would check nothing", () => {
  const having = (part: { readonly id?: string; readonly on?: ReadonlyArray<string> }) => () =>
    Reflect.apply(Rule.make, undefined, [
      { ...about, id: "acme.one", ...part, initial: 0, step: (n: number) => n },
    ])

  it.each([
    [["tool/cal"], 'rule acme.one looks at "tool/cal", which is no type of event', '"tool/call"'],
    [["error", "turn/ends"], 'rule acme.one looks at "turn/ends"', 'did you mean "turn/end"'],
    [["toString"], 'rule acme.one looks at "toString"', "(vendor:name)"],
    [[], "rule acme.one looks at no type", "without `on` it looks at all"],
  ] as const)("is refused while it is made, for it looks at %j", (on, words, hint) => {
    expect(having({ on })).toThrow(TypeError)
    expect(having({ on })).toThrow(words)
    expect(having({ on })).toThrow(hint)
  })

  it("may look at every type of the core's and at those of any extension", () => {
    expect(having({ on: [...Object.keys(payloads), "acme:price", "other:thing"] })).not.toThrow()
  })

  it.each(["budget", "", ".budget", "acme.", "acme..budget", "acme.my budget", "acme"])(
    "is refused for the id %j, by which no group has it",
    (id) => {
      const words = `the id ${JSON.stringify(id)} of a rule has not the form group.name`
      expect(having({ id })).toThrow(new TypeError(words))
      expect(() => Rule.live({ ...about, id, initial: 0, step: (n) => n })).toThrow(new TypeError(words))
    },
  )

  it("has an id of two parts at least", () => {
    for (const id of ["acme.budget", "acme.money.budget"]) expect(having({ id })).not.toThrow()
  })
})

describe("a rule over an extension's events", () => {
  const Price = EventType.make({
    name: "acme:price",
    version: 2,
    schema: Schema.Struct({ cents: Schema.Int, on: Schema.DateFromString }),
    upcast: (data) => ({ cents: Number(Object(data).euros) * 100, on: "1970-01-01T00:00:00.000Z" }),
  })
  const rule = Rule.over(Price, {
    ...about,
    id: "acme.rises",
    initial: 0,
    step: (before, { cents, on }, _, { seq }) =>
      cents > before ? cents : new Rule.Broken(before, [`${cents} at ${seq}, on ${on.getTime()}`]),
  })
  const price = (data: object, v?: number): EventDraft => ({
    type: "acme:price",
    ...(v !== undefined && { v }),
    data,
  })

  it("is told decoded values, older versions lifted", () => {
    const now = { cents: 300, on: "1970-01-01T00:00:01.000Z" }
    const log = number([...drafts, price({ euros: 1 }), price({ ...now }, 2), price({ ...now }, 2)])
    expect(run([rule], log)).toEqual([`acme.rises ${log.length - 1}: 300 at ${log.length - 1}, on 1000`])
  })

  describe("whose values are rich", () => {
    const Tags = Schema.Array(Schema.String).pipe(
      Schema.decodeTo(Schema.instanceOf(Set<string>), {
        decode: SchemaGetter.transform((tags) => new Set(tags)),
        encode: SchemaGetter.transform((tags) => [...tags]),
      }),
    )
    const Rich = EventType.make({
      name: "acme:rich",
      version: 1,
      schema: Schema.Struct({
        tags: Tags,
        seal: Schema.Uint8ArrayFromBase64,
        on: Schema.DateFromString,
        lines: Schema.Array(Schema.String),
        at: Schema.DateTimeZonedFromString,
      }),
    })
    type Rich = typeof Rich.schema.Type
    const data = { tags: ["a"], seal: "AQI=", on: "1970-01-01T00:00:01.000Z", lines: ["x"] }
    const log = number([{ type: "acme:rich", data: { ...data, at: "1970-01-01T00:00:00.000+00:00[UTC]" } }])
    const over = (look: (value: Rich) => void) =>
      Rule.over(Rich, { ...about, id: "acme.rich", initial: 0, step: (n, value) => (look(value), n) })

    it.each<readonly [what: string, change: (value: Rich) => unknown]>([
      ["a set", ({ tags }) => tags.add("b")],
      ["a date", ({ on }) => on.setTime(0)],
      ["a list", ({ lines }) => Object.assign(lines, ["y"])],
      ["the value itself", (value) => Object.assign(value, { lines: [] })],
    ])("cannot change %s of one", (_, change) => {
      let times = 0
      const step = (value: Rich) => {
        times++
        expect(() => change(value)).toThrow(TypeError)
      }
      run([over(step)], log)
      expect(times).toBe(1)
    })

    it("has bytes of its own, and dates of Effect's that can be read", () => {
      const seen: Array<unknown> = []
      const step = ({ seal, at }: Rich) => {
        seen.push([...seal], DateTime.toParts(at).year)
        seal[0] = 9
      }
      run([over(step), { ...over(step), id: "acme.again" }], log)
      expect(seen).toEqual([[1, 2], 1970, [1, 2], 1970])
    })

    it("has bytes of its own also where they are the whole value, of which somebody keeps hold", () => {
      const shared = new Uint8Array([1, 2])
      const Bytes = EventType.make({
        name: "acme:bytes",
        version: 1,
        schema: Schema.Null.pipe(
          Schema.decodeTo(Schema.Uint8Array, {
            decode: SchemaGetter.transform(() => shared),
            encode: SchemaGetter.transform(() => null),
          }),
        ),
      })
      const rule = Rule.over(Bytes, {
        ...about,
        id: "acme.bytes",
        initial: 0,
        step: (state, value) => {
          shared[0] = 9
          return new Rule.Broken(state, [[...value].join()])
        },
      })
      expect(run([rule], number([{ type: "acme:bytes", data: null }]))).toEqual(["acme.bytes 0: 1,2"])
    })
  })

  it("is broken by a payload that cannot be decoded, and goes on", () => {
    const log = number([price({ cents: "many" }, 2), price({ euros: 1 }), price({ euros: 1 })])
    expect(run([rule], log)).toEqual([
      expect.stringMatching(/^acme\.rises 0: .*cents/s),
      "acme.rises 2: 100 at 2, on 0",
    ])
  })
})

describe("a course", () => {
  const picky = Rule.make({
    ...about,
    id: "acme.picky",
    initial: 0,
    step: (seen, event) => (event.type === "error" ? new Rule.Broken(seen, ["an error"]) : seen + 1),
  })
  const failed: EventDraft = { type: "error", data: { turn: 0, step: 0, name: "X", code: "X", message: "x" } }

  it("stays where it was when somebody throws at a break", () => {
    const [good, bad] = number([...drafts.slice(0, 1), failed])
    const refuse = () => {
      throw new Error("refused")
    }
    const begun = Course.ofLog([picky])
    const after = good && begun.advance(good, refuse)
    expect(() => bad && after?.advance(bad, refuse)).toThrow("refused")
    const broken: Array<string> = []
    if (bad) after?.advance(bad, (_, message) => broken.push(message))
    expect(broken).toEqual(["an error"])
  })

  it("tells the same of a run of chunks once, and of other events each time", () => {
    expect(run([picky], number([failed, failed]))).toEqual([
      "acme.picky 0: an error",
      "acme.picky 1: an error",
    ])
    const noChunks = Rule.make({
      ...about,
      id: "acme.noChunks",
      on: ["assistant/chunk"],
      initial: undefined,
      step: (_, { data: { step } }) => new Rule.Broken(undefined, [`a chunk in step ${step}`]),
    })
    expect(run([noChunks], number(drafts)).map((line) => line.slice(-4))).toEqual(["ep 1", "ep 2", "ep 1"])
  })
})
