/**
 * The first use of a spec: what a tool costs from its definition to its first decoded call.
 *
 * Shape: a new spec of ten fields each time, so that nothing is remembered; the code itself is warm.
 */
import { Effect } from "effect"
import * as Parameters from "../../../src/spec/Parameters.ts"
import { args, coldSpecs } from "../inputs/args.ts"
import type { Row } from "../Row.ts"

export const cold: Row = {
  name: "cold",
  title: "The first use of a spec",
  floorIs: "none",
  lines: [
    {
      name: "cold/ten",
      title: "10 fields: built, and the first text decoded",
      aims: [{ against: "nothing", atMost: 250 }],
    },
  ],
  floor: {},
  ours: {
    "cold/ten": () => {
      const next = coldSpecs()
      return {
        kind: "repeated",
        run: (times) => {
          for (let time = 0; time < times; time++)
            Effect.runSync(Parameters.fromSpec(next()).decode(args.ten.text))
        },
      }
    },
  },
}
