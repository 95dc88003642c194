/**
 * The plan of the house, as data: which room may import which, and what it may bring in from outside.
 *
 * Not here: how the plan is checked (`checkRooms.ts`, `checkDoors.ts`).
 * A change here is a change of the architecture: it wants a reason in the commit, and an ADR when it is contested.
 */

/** `where`: the whole room, the named file, or whichever single file of the room uses it. */
export interface Outside {
  /** A module specifier; `x/*` stands for every specifier that begins with `x/`, `node:*` for all of Node's. */
  readonly module: string
  readonly where: "room" | "one file" | { readonly file: string }
}

export interface Room {
  readonly imports: ReadonlyArray<string>
  readonly outside: ReadonlyArray<Outside>
}

export interface Door {
  /** Rooms whose public modules this entry point exports. */
  readonly exports: ReadonlyArray<string>
  /** Rooms that cannot be reached from here, however long the way. */
  readonly neverReaches: ReadonlyArray<string>
  /** Packages that cannot be reached from here: they are optional, or for tests only. */
  readonly neverNeeds: ReadonlyArray<string>
}

export interface Plan {
  readonly rooms: Readonly<Record<string, Room>>
  readonly doors: Readonly<Record<string, Door>>
  /** Modules that other rooms use and users do not. Every other public module stands at some door. */
  readonly withheld: ReadonlyArray<string>
}

const room = (imports: string, ...outside: ReadonlyArray<Outside>): Room => ({
  imports: imports.split(" ").filter((name) => name !== ""),
  outside,
})
const inRoom = (module: string): Outside => ({ module, where: "room" })
const inOneFile = (module: string): Outside => ({ module, where: "one file" })
const inFile = (file: string, module: string): Outside => ({ module, where: { file } })

const rooms = {
  error: room(""),
  telemetry: room("error"),
  text: room("error", inFile("JsonRepair.ts", "node:module")),
  kind: room("error text"),
  spec: room("error text kind", inOneFile("effect/schema")),
  jsonschema: room("error text kind spec", inFile("loadAjv.ts", "ajv"), inFile("loadAjv.ts", "node:module")),
  message: room("error", inFile("Digest.ts", "node:crypto")),
  output: room("error message"),
  policy: room("error message"),
  tool: room("error telemetry text spec jsonschema message output policy", inRoom("effect/process")),
  projection: room("error text kind message tool"),
  event: room("error message", inOneFile("effect/schema")),
  redaction: room("error message event spec"),
  model: room(
    "error telemetry message",
    inFile("AiSdkModel.ts", "@ai-sdk/provider"),
    inFile("Providers.ts", "@ai-sdk/*"),
    inFile("EffectAiModel.ts", "effect/ai"),
  ),
  contract: room("error text message event"),
  lease: room(
    "error",
    inFile("DirectFiles.ts", "node:fs"),
    inFile("DirectFiles.ts", "node:path"),
    inFile("openAtOnce.ts", "node:fs"),
    inFile("toInfo.ts", "node:fs"),
    inFile("Holder.ts", "node:os"),
  ),
  postgres: room("", inRoom("effect/sql")),
  store: room(
    "error telemetry message event lease postgres",
    inFile("PostgresStore.ts", "effect/sql"),
    inFile("PostgresStore.ts", "@effect/sql-pg"),
  ),
  session: room("error telemetry message event contract lease store"),
  recovery: room("error message output policy tool event contract store session"),
  compaction: room("error message event model session"),
  fork: room("error message event contract store session"),
  replay: room("error message event model session compaction turn"),
  call: room("error telemetry message policy tool event session recovery"),
  turn: room("error telemetry message event session model recovery call compaction"),
  loop: room(
    "error telemetry spec jsonschema message output policy tool event store session model recovery call turn fork compaction",
  ),
  invariant: room("error text message event contract session"),
  rulebook: room("error message event contract session invariant"),
  mutant: room("event"),
  arbitrary: room("message event contract recovery session spec loop mutant", inRoom("fast-check")),
  toolkit: room("error text spec message output policy tool", inRoom("effect/process"), inOneFile("node:*")),
  mcp: room("error telemetry spec jsonschema message output policy tool", inRoom("effect/ai")),
  cluster: room(
    "error telemetry message event store session recovery call turn loop",
    inRoom("effect/cluster"),
  ),
  conformance: room("error message event model store"),
  testing: room("message event model session store invariant replay", inRoom("effect/testing")),
  explore: room("message event model store session tool recovery loop invariant replay"),
  viewer: room("error message event contract store invariant", inRoom("effect/http")),
  terminal: room(
    "error text message event redaction policy session call turn loop",
    inRoom("effect/cli"),
    inFile("Keyboard.ts", "node:readline"),
  ),
  setup: room(
    "error message event redaction text output policy tool model session store recovery call turn loop toolkit terminal",
    inRoom("effect/cli"),
    inFile("UserModule.ts", "node:*"),
    inFile("UserModule.ts", "(computed)"),
  ),
  verdict: room("error text event contract invariant rulebook store setup terminal"),
  repair: room("error text event contract invariant recovery session store turn setup terminal verdict"),
} as const satisfies Record<string, Room>

const door = (exports: string, neverReaches: string): Door => ({
  exports: exports.split(" "),
  neverReaches: neverReaches.split(" "),
  neverNeeds: ["@ai-sdk/*", "@effect/*", "ajv", "fast-check", "vitest"],
})

export const plan: Plan = {
  rooms: { ...rooms, cli: { imports: Object.keys(rooms), outside: [inRoom("*")] } },
  doors: {
    "src/index.ts": door(
      "error telemetry spec jsonschema message output policy tool projection redaction event model contract store session recovery compaction fork replay call turn loop",
      "invariant mutant arbitrary conformance testing viewer terminal setup cli",
    ),
    "src/invariants.ts": door("invariant contract", "testing viewer terminal setup cli"),
    "src/postgres.ts": {
      ...door("store", "contract session invariant testing viewer terminal setup cli"),
      neverNeeds: ["@ai-sdk/*", "ajv", "fast-check", "vitest"],
    },
    "src/testing.ts": {
      ...door(
        "conformance explore mutant testing message model store",
        "arbitrary postgres mcp cluster viewer terminal setup cli",
      ),
      neverNeeds: ["fast-check", "vitest"],
    },
    "src/arbitrary.ts": {
      ...door("arbitrary", "invariant conformance testing postgres viewer terminal setup cli"),
      neverNeeds: ["@ai-sdk/*", "@effect/*", "ajv", "vitest"],
    },
    "src/toolkit.ts": door("toolkit", "invariant testing viewer terminal setup cli"),
    "src/ai-sdk.ts": {
      ...door("model", "invariant testing viewer terminal setup cli"),
      neverNeeds: ["vitest"],
    },
  },
  withheld: [
    "src/error/Beginning.ts",
    "src/error/Contained.ts",
    "src/call/Approvals.ts",
    "src/call/CallIds.ts",
    "src/call/Calls.ts",
    "src/call/OpenCalls.ts",
    "src/call/Stragglers.ts",
    "src/contract/Admission.ts",
    "src/contract/AlwaysOn.ts",
    "src/contract/Ancestry.ts",
    "src/contract/Course.ts",
    "src/contract/OwnRule.ts",
    "src/contract/Reruns.ts",
    "src/contract/Sameness.ts",
    "src/event/Frozen.ts",
    "src/event/JsonCopy.ts",
    "src/jsonschema/RawParameters.ts",
    "src/kind/Compiler.ts",
    "src/kind/Place.ts",
    "src/kind/Words.ts",
    "src/lease/DirectFiles.ts",
    "src/lease/Disk.ts",
    "src/lease/Hold.ts",
    "src/lease/Holder.ts",
    "src/lease/Lease.ts",
    "src/message/Assembler.ts",
    "src/message/Digest.ts",
    "src/rulebook/Diagrams.ts",
    "src/rulebook/Example.ts",
    "src/rulebook/Examples.ts",
    "src/rulebook/Row.ts",
    "src/replay/Recorded.ts",
    "src/session/Observer.ts",
    "src/spec/Remarks.ts",
    "src/spec/Sensitive.ts",
    "src/spec/Violations.ts",
    "src/text/ArgumentText.ts",
    "src/text/Excerpt.ts",
    "src/text/JsonRepair.ts",
    "src/text/Nearest.ts",
    "src/turn/Recall.ts",
    "src/turn/Turn.ts",
    "src/turn/Voice.ts",
  ],
}
