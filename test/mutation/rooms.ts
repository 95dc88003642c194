/**
 * The rooms whose tests are tested, and the tests that are to notice.
 *
 * Only tests that run in this process: a mutant is switched on in the modules of the worker, so a program that a test
 * starts never has it, and the waiting would count as nothing but time.
 */

/** Tests beside those of the room itself, as globs below `test/`. */
const others = {
  error: [
    "error/codes.test.ts",
    "loop/AnyHarnessError.test.ts",
    "tool/{Contained,Faults,Foreign,Worth}.test.ts",
  ],
  spec: [
    "kind/*.test.ts",
    "flow/lenient.test.ts",
    "jsonschema/{JsonSchema,JsonSchema.prop,RawParameters}.test.ts",
  ],
  kind: ["spec/*.test.ts", "jsonschema/JsonSchema.test.ts"],
  tool: [
    "error/codes.test.ts",
    "flow/{approval,deny,idempotency,lenient,limits,lingering,progress,resume,retry,wrong-args}.test.ts",
    "recovery/Recovery.test.ts",
    "output/Spill.test.ts",
  ],
  event: ["error/codes.test.ts", "docs/Events.test.ts", "session/laterVersion.test.ts", "contract/*.test.ts"],
  session: ["error/codes.test.ts", "flow/{abort,inject,queue,steer,store-failure}.test.ts"],
  contract: [
    "error/codes.test.ts",
    "invariant/*.test.ts",
    "docs/Invariants.test.ts",
    "session/SessionLog.test.ts",
  ],
  invariant: ["error/codes.test.ts", "contract/*.test.ts", "docs/Invariants.test.ts"],
  turn: ["error/codes.test.ts", "loop/*.test.ts", "flow/*.test.ts"],
  call: ["error/codes.test.ts", "loop/*.test.ts", "flow/*.test.ts"],
  loop: ["error/codes.test.ts", "flow/*.test.ts"],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type Room = keyof typeof others

export const rooms = Object.keys(others) as ReadonlyArray<Room>

export const isRoom = (name: string): name is Room => Object.hasOwn(others, name)

/** Globs of the test files that are run against the mutants of a room. */
export const testsOf = (room: Room): ReadonlyArray<string> =>
  [`${room}/*.test.ts`, ...others[room]].map((glob) => `test/${glob}`)

/** The score that a room is to have at least. Units: percent. */
export const floors: Readonly<Partial<Record<Room, number>>> = {
  spec: 85,
  kind: 85,
  tool: 85,
  event: 85,
  session: 85,
  invariant: 85,
}
