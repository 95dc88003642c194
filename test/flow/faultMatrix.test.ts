/**
 * Whatever goes wrong with a call, at whatever moment, alone or between two other calls: it ends in exactly one outcome,
 * its siblings are unharmed, the log is lawful and the next request valid. Set `PRINT_MATRIX=1` to see the table.
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import type { Message } from "../../src/message/Message.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Grace from "../../src/policy/Grace.ts"
import * as Guard from "../../src/policy/Guard.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { argsOf, type Fault, faults, type Moment, moments, type Why } from "./faults.ts"
import { all, callEcho, echo, tell, types, type World } from "./world.ts"

const companies = ["alone", "with two that are done", "with two that run"] as const
type Company = (typeof companies)[number]
const runs = "with two that run" satisfies Company

/** What became of each cell, by row, moment and company. */
const told = new Map<string, string>()

/** Every call is answered, once, at once, in the order in which it was made. */
const expectValid = (messages: ReadonlyArray<Message>): void => {
  messages.forEach((message, i) => {
    if (message.role !== "assistant") return
    const calls = message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
    const next = messages[i + 1]
    const answers = next?.role === "tool" ? next.content.map((block) => block.callId) : []
    expect(answers).toEqual(calls)
  })
}

/** Wait until so many calls have a result. */
const ended = (session: World["session"], count: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    types(session).filter((type) => type === "tool/result").length >= count
      ? Effect.void
      : Effect.andThen(Effect.yieldNow, ended(session, count)),
  )

/** Siblings that run until they are let go, or stopped. */
const makeStay = () => {
  const open = Deferred.makeUnsafe<void>()
  const marks = new Map(["first", "last"].map((id) => [id, Deferred.makeUnsafe<void>()]))
  const tool = defineTool({
    name: "stay",
    description: "Runs until it is let go",
    parameters: {},
    run: (_, { callId }) => {
      const mark = marks.get(callId)
      return Effect.andThen(
        mark === undefined ? Effect.void : Deferred.succeed(mark, undefined),
        Deferred.await(open),
      )
    },
  })
  return {
    tool,
    started: Effect.forEach([...marks.values()], (mark) => Deferred.await(mark), { discard: true }),
    letGo: () => Deferred.doneUnsafe(open, Effect.void),
  }
}

const advice = new RegExp(
  [
    "Correct the call|Send the whole call again|may work later|would end the same way|only when the reason",
    "Do not make this call again|Find out what it did",
  ].join("|"),
)

interface Cell {
  readonly fault: Fault
  readonly moment: Moment
  readonly company: Company
}

/** What has to be so before the world acts: how far the fault is, and how far its siblings are. */
const ready = (world: World, { fault, moment, company }: Cell, started: Effect.Effect<void>) => {
  const own = moment === "after" && fault.act === "abort" ? 1 : 0
  const others = company === "with two that are done" ? 2 : 0
  const reached = Effect.andThen(fault.reached ?? Effect.void, company === runs ? started : Effect.void)
  return Effect.andThen(reached, ended(world.session, own + others))
}

const story = (name: string, cell: Cell) => {
  const { fault, moment, company } = cell
  const stay = makeStay()
  const sibling = (id: string) =>
    company === runs ? { id, name: "stay", arguments: "{}" } : callEcho(id, id)
  const faulty = { id: "faulty", name: "faulty", arguments: argsOf(fault) }
  const calls = company === "alone" ? [faulty] : [sibling("first"), faulty, sibling("last")]
  // The answer that follows the call is what an abort after it cuts off.
  const isLate = fault.act === "abort" && moment === "after" && company !== runs
  const steps = [{ calls }, { text: "done", ...(isLate && { delayMillis: 1_000 }) }, { text: "again" }]
  const guard: Guard.Guard = (call) => {
    if (call.tool !== "faulty") return Effect.succeed(Guard.allow)
    const verdict = Effect.suspend(() => fault.guard?.(call) ?? Effect.succeed(Guard.allow))
    return company === runs ? Effect.andThen(stay.started, verdict) : verdict
  }
  const options = { tools: Toolbox.make(fault.tool, echo, stay.tool), approvalTimeout: "1 minute" } as const
  const told = tell(steps, options, (world) =>
    Effect.gen(function* () {
      const { agent, session, requests } = world
      const isFaultyResult = (event: SessionEvent): boolean =>
        event.type === "tool/result" && placeIn([event], "faulty", event.type) === 0
      session.subscribe((event) => {
        if (fault.act !== "abort" && isFaultyResult(event)) stay.letGo()
      })
      const turn = yield* Effect.forkChild(agent.prompt("go"))
      if (fault.act !== undefined) yield* ready(world, cell, stay.started)
      if (fault.act === "abort") yield* agent.abort("enough")
      if (fault.act === "wait a minute") yield* TestClock.adjust("1 minute")
      const { reason } = yield* Fiber.join(turn)
      expect(reason.kind).toBe(fault.act === "abort" ? "aborted" : "completed")
      expectEnds(name, cell, session, reason.kind)
      yield* agent.prompt("and now?")
      const request = requests().at(-1)
      expectValid(request?.messages ?? [])
      expect(request?.messages.filter(({ role }) => role === "tool")).toHaveLength(1)
    }),
  )
  return told.pipe(
    Effect.provide(Grace.layer("1 millis")),
    Effect.provideService(Guard.Guard, guard),
    fault.approver === undefined
      ? (alone) => alone
      : Effect.provideService(Approver.Approver, fault.approver),
  )
}

const expectEnds = (name: string, cell: Cell, session: World["session"], turn: string): void => {
  const { fault, moment, company } = cell
  const results = all(session, "tool/result")
  const [outcome, code] = fault.ends
  const siblings = company === "alone" ? [] : ["first", "last"]
  expect(results.map(({ callId }) => callId).sort()).toEqual(["faulty", ...siblings].sort())
  const result = results.find(({ callId }) => callId === "faulty")
  expect([result?.outcome, result?.error?.code]).toEqual([outcome, code])
  expect(result?.isError).toBe(outcome !== "success")
  expect(JSON.stringify(result?.content).length).toBeLessThan(60_000)
  // Whatever went wrong, the model reads whether to try again.
  for (const { isError, content } of results) if (isError) expect(JSON.stringify(content)).toMatch(advice)
  const isStopped = company === runs && fault.act === "abort"
  const due = isStopped ? ["interrupted", "ABORTED"] : ["success", undefined]
  if (company === runs && outcome !== "rejected" && fault.act !== "abort") expectRan(session.log())
  for (const id of siblings) {
    const one = results.find(({ callId }) => callId === id)
    expect([one?.outcome, one?.error?.code]).toEqual(due)
  }
  const beside = siblings.length === 0 ? "" : `; siblings ${due[0]}`
  told.set(keyOf(name, moment, company), `${outcome} ${code ?? ""}`.trim() + `; turn ${turn}${beside}`)
}

/** The siblings had started when the faulty call ended, and ended after it. */
const expectRan = (log: ReadonlyArray<SessionEvent>): void => {
  const end = placeIn(log, "faulty", "tool/result")
  for (const id of ["first", "last"]) expect(placeIn(log, id, "tool/call")).toBeLessThan(end)
  for (const id of ["first", "last"]) expect(placeIn(log, id, "tool/result")).toBeGreaterThan(end)
}

const placeIn = (log: ReadonlyArray<SessionEvent>, callId: string, type: SessionEvent["type"]): number =>
  log.findIndex(
    (event) =>
      event.type === type && Predicate.hasProperty(event.data, "callId") && event.data.callId === callId,
  )

const keyOf = (name: string, moment: Moment, company: Company): string => `${name}, ${moment}, ${company}`

const cells = () =>
  faults().flatMap(({ name, cells }) => moments.map((moment) => ({ name, moment, cell: cells[moment] })))

describe.each(companies)("a call that goes wrong %s", (company) => {
  const stories = cells().flatMap(
    ({ name, moment, cell }): ReadonlyArray<[string, string, Cell]> =>
      typeof cell === "string"
        ? []
        : [[keyOf(name, moment, company), name, { fault: cell, moment, company }]],
  )
  it.effect.each(stories)("ends in one outcome: %s", ([, name, cell]) => story(name, cell))
})

describe("the matrix", () => {
  /** What issue 4 asks for, each at each moment. */
  const asked = [
    ...[
      "wrong arguments",
      "a deny",
      "a guard that fails",
      "a typed failure",
      "a thrown Error",
      "a thrown string",
    ],
    ...["a thrown undefined", "a thrown Error of another realm", "a rejected promise", "a hang"],
    ...["a self-interruption", "an abort from outside", "an output of the wrong type", "a BigInt", "a cycle"],
    ...["50 MB of text", "a process that a signal kills"],
  ]

  it("has every fault at every moment that it can have, and says why not at the others", () => {
    const names = new Set(faults().map(({ name }) => name))
    expect(asked.filter((name) => !names.has(name))).toEqual([])
    const none = cells().filter(({ cell }) => typeof cell === "string")
    expect(none.filter(({ moment }) => moment === "before")).toEqual([])
    expect(new Set(none.map(({ cell }) => cell)).size).toBe(3)
    const own = cells().filter(({ name }) => asked.includes(name))
    expect([own.length, own.filter(({ cell }) => typeof cell !== "string").length]).toEqual([51, 45])
  })
})

afterAll(() => {
  if (process.env["PRINT_MATRIX"] !== "1") return
  const legend: Array<Why> = []
  const toCells = ({ name, moment, cell }: ReturnType<typeof cells>[number]) => {
    if (typeof cell !== "string")
      return companies.map((company) => [
        name,
        moment,
        company,
        told.get(keyOf(name, moment, company)) ?? "not run",
      ])
    if (!legend.includes(cell)) legend.push(cell)
    return [[name, moment, "–", `(${legend.indexOf(cell) + 1})`]]
  }
  const rows = cells().flatMap(toCells)
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  const notes = legend.map((why, i) => `(${i + 1}) ${why}`)
  process.stdout.write(`${[...rows.map(line), "", ...notes].join("\n")}\n`)
})
