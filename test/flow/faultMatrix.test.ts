/**
 * Whatever goes wrong with a call, at whatever moment, alone or between two healthy calls: it ends in exactly one
 * outcome, its siblings are unharmed, the log is lawful and the next request valid. Set `PRINT_MATRIX=1` to see the table.
 */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect } from "vitest"
import type { Message } from "../../src/message/Message.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { argsOf, type Fault, faults } from "./faults.ts"
import { all, callEcho, echo, tell, types, type World } from "./world.ts"

const rows: Array<ReadonlyArray<string>> = []

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

const provoke = (world: World, fault: Fault, siblings: number): Effect.Effect<unknown, unknown> => {
  if (fault.act === undefined) return Effect.void
  const others = fault.moment === "after" ? siblings + 1 : siblings
  const ready = Effect.andThen(fault.reached, ended(world.session, others))
  return Effect.andThen(
    ready,
    fault.act === "abort" ? world.agent.abort("enough") : TestClock.adjust("1 minute"),
  )
}

const story = (fault: Fault, company: ReadonlyArray<string>) => {
  const [first, last] = company
  const faulty = { id: "faulty", name: "faulty", arguments: argsOf(fault) }
  const calls = [first, undefined, last].flatMap((word, i) => {
    if (i === 1) return [faulty]
    return word === undefined ? [] : [callEcho(word, word)]
  })
  const isLate = fault.act === "abort" && fault.moment === "after"
  const steps = [{ calls }, { text: "done", ...(isLate && { delayMillis: 1_000 }) }, { text: "again" }]
  const guard: Guard.Guard = (call) =>
    call.tool === "faulty" && fault.guard !== undefined ? fault.guard(call) : Effect.succeed(Guard.allow)
  return tell(steps, { tools: Toolbox.make(fault.tool, echo) }, (world) =>
    Effect.gen(function* () {
      const { agent, session, requests } = world
      const turn = yield* Effect.forkChild(agent.prompt("go"))
      yield* provoke(world, fault, company.length)
      const { reason } = yield* Fiber.join(turn)
      const results = all(session, "tool/result")
      const [outcome, code] = fault.ends
      expect(results.map(({ callId }) => callId).sort()).toEqual([...company, "faulty"].sort())
      const result = results.find(({ callId }) => callId === "faulty")
      expect([result?.outcome, result?.error?.code]).toEqual([outcome, code])
      expect(result?.isError).toBe(outcome !== "success")
      expect(JSON.stringify(result?.content).length).toBeLessThan(60_000)
      for (const callId of company) {
        expect(results.find((one) => one.callId === callId)).toMatchObject({
          outcome: "success",
          isError: false,
        })
      }
      expect(reason.kind).toBe(fault.act === "abort" ? "aborted" : "completed")
      yield* agent.prompt("and now?")
      const request = requests().at(-1)
      expectValid(request?.messages ?? [])
      expect(request?.messages.filter(({ role }) => role === "tool")).toHaveLength(1)
      rows.push([
        fault.name,
        fault.moment,
        company.length === 0 ? "alone" : "with two",
        outcome,
        code ?? "-",
        reason.kind,
      ])
    }),
  ).pipe(Effect.provideService(Guard.Guard, guard))
}

describe.each([
  ["alone", []],
  ["with two healthy siblings", ["before", "after"]],
])("a call that goes wrong %s", (_, company) => {
  it.effect.each(faults().map((fault): [string, Fault] => [`${fault.name}, ${fault.moment}`, fault]))(
    "ends in one outcome: %s",
    ([, fault]) => story(fault, company),
  )
})

afterAll(() => {
  if (process.env["PRINT_MATRIX"] !== "1") return
  const widths = [0, 1, 2, 3, 4, 5].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>): string =>
    row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")
  process.stdout.write(`${rows.map(line).join("\n")}\n`)
})
