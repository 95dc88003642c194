/**
 * Arguments from the model's text, or from an object, to what a body may use.
 *
 * Ours runs as in a tool: inside a fiber, through `Parameters`. The floors are `JSON.parse`, and checks written by hand.
 */
import { Effect } from "effect"
import type { Violation } from "../../../src/error/Violation.ts"
import * as Parameters from "../../../src/spec/Parameters.ts"
import * as Violations from "../../../src/spec/Violations.ts"
import { args, type Case, type Size } from "../inputs/args.ts"
import { handCheck, handViolations } from "../inputs/hand.ts"
import type { Row, Work, Works } from "../Row.ts"

const toFloor = { against: "floor", atMost: 1.15 } as const
const toAjv = { against: { contender: "ajv" }, atMost: 1 } as const

const repeated = (once: () => unknown): Work => ({
  kind: "repeated",
  run: (times) => {
    for (let time = 0; time < times; time++) once()
  },
})

const inFiber = (once: Effect.Effect<unknown>): Work => {
  const loop = Effect.fnUntraced(function* (times: number) {
    for (let time = 0; time < times; time++) yield* once
  })
  return { kind: "repeated", run: (times) => Effect.runPromise(loop(times)) }
}

const accepts = (size: Size, from: "text" | "object") => (): Work => {
  const { spec, text, value } = args[size]
  const { check, decode } = Parameters.fromSpec(spec)
  return inFiber(
    from === "text"
      ? Effect.orDie(Effect.suspend(() => decode(text)))
      : Effect.orDie(Effect.suspend(() => check(value))),
  )
}

/** `isRead`: the text by which the model corrects itself is made as well, as a tool that refuses makes it. */
const refuses = (size: Size, isRead: boolean) => (): Work => {
  const { invalid, spec } = args[size]
  const { check } = Parameters.fromSpec(spec)
  const expectThree = (violations: ReadonlyArray<Violation>) => {
    if (violations.length !== 3) throw new Error(`${violations.length} violations`)
    if (isRead && Violations.toText(violations) === "") throw new Error("nothing to read")
  }
  return inFiber(
    Effect.matchEager(
      Effect.suspend(() => check(invalid)),
      { onFailure: expectThree, onSuccess: () => expectThree([]) },
    ),
  )
}

const parses =
  ({ text }: Case) =>
  () =>
    repeated(() => JSON.parse(text))

const floor: Works = {
  "decode/small/text": parses(args.small),
  "decode/ten/text": parses(args.ten),
  "decode/sixty/text": parses(args.sixty),
  "decode/ten/object": () =>
    repeated(() => {
      if (!handCheck(args.ten.value)) throw new Error("refused")
    }),
  "decode/ten/invalid": () =>
    repeated(() => {
      if (handViolations(args.ten.invalid).length !== 3) throw new Error("taken")
    }),
  "decode/ten/invalid read": () =>
    repeated(() => {
      if (handViolations(args.ten.invalid).join("\n") === "") throw new Error("nothing to read")
    }),
}

export const decode: Row = {
  name: "decode",
  title: "Decode arguments",
  floorIs: "`JSON.parse` alone; from an object, a check written by hand",
  lines: [
    { name: "decode/small/text", title: "3 fields, from text" },
    { name: "decode/ten/text", title: "10 fields, from text", aims: [toFloor] },
    { name: "decode/sixty/text", title: "60 fields with 12 unions, from text", aims: [toFloor] },
    { name: "decode/ten/object", title: "10 fields, from an object", aims: [toAjv] },
    { name: "decode/sixty/object", title: "60 fields with 12 unions, from an object", aims: [toAjv] },
    {
      name: "decode/ten/invalid",
      title: "10 fields, 3 violations, all collected, from an object",
      aims: [toAjv],
    },
    {
      name: "decode/ten/invalid read",
      title: "the same, and the text for the model made",
      aims: [{ against: "nothing", atMost: 5 }],
    },
    { name: "decode/sixty/invalid", title: "60 fields, 3 violations, from an object" },
  ],
  floor,
  ours: {
    "decode/small/text": accepts("small", "text"),
    "decode/ten/text": accepts("ten", "text"),
    "decode/sixty/text": accepts("sixty", "text"),
    "decode/ten/object": accepts("ten", "object"),
    "decode/sixty/object": accepts("sixty", "object"),
    "decode/ten/invalid": refuses("ten", false),
    "decode/ten/invalid read": refuses("ten", true),
    "decode/sixty/invalid": refuses("sixty", false),
  },
}
