/** Drawn arguments have the type that the body's arguments have. */
import type * as fc from "fast-check"
import * as Values from "../../src/arbitrary/Values.ts"

const parameters = {
  city: { type: "string", required: true },
  days: { type: "integer" },
} as const

const drawn = Values.fitting(parameters)

export const typed: fc.Arbitrary<{ readonly city: string; readonly days?: number }> = drawn

// @ts-expect-error a property that is not required may be absent
export const wrong: fc.Arbitrary<{ readonly city: string; readonly days: number }> = drawn
