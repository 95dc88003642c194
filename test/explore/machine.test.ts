/** The scheduler and the virtual clock under `Explore`. */
import { Clock, Deferred, Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Choices from "../../src/explore/choices.ts"
import { Machine } from "../../src/explore/machine.ts"

/** Run an Effect on a machine by a schedule; `notes` is what it wrote down. */
const run = (
  schedule: Choices.Schedule,
  effect: (note: (what: string) => Effect.Effect<void>, machine: Machine) => Effect.Effect<unknown>,
) => {
  const notes: Array<string> = []
  const machine = new Machine(Choices.make(Choices.follow(schedule)), 0)
  const note = (what: string) => Effect.sync(() => void notes.push(what))
  const program = effect(note, machine).pipe(Effect.provideService(Clock.Clock, machine.clock))
  const fiber = Effect.runFork(program, { scheduler: machine })
  while (machine.step(undefined, false));
  return { notes, machine, isOver: fiber.pollUnsafe() !== undefined, taken: machine.choices.taken }
}

const both = (left: Effect.Effect<unknown>, right: Effect.Effect<unknown>) =>
  Effect.all([left, right], { concurrency: 2 })

describe("a machine", () => {
  it("runs fibers first in first out, and another order where the schedule says so", () => {
    const program: Parameters<typeof run>[1] = (note) =>
      both(Effect.andThen(Effect.yieldNow, note("a")), Effect.andThen(Effect.yieldNow, note("b")))
    const first = run([], program)
    expect(first.notes).toEqual(["a", "b"])
    const place = first.taken.findIndex(({ kind, width }) => kind === "next" && width === 2)
    expect(run([...Array.from({ length: place }, () => 0), 1], program).notes).toEqual(["b", "a"])
  })

  it("puts a fiber that another one wakes into the queue, behind what runs", () => {
    const { notes } = run([], (note) =>
      Effect.gen(function* () {
        const bell = yield* Deferred.make<void>()
        yield* Effect.forkChild(Effect.andThen(Deferred.await(bell), note("woken")), {
          startImmediately: true,
        })
        yield* Deferred.succeed(bell, undefined)
        yield* note("waker")
        yield* Effect.sleep(1)
      }),
    )
    expect(notes).toEqual(["waker", "woken"])
  })

  it("starts at once what is to start at once", () => {
    const { notes } = run([], (note) =>
      Effect.andThen(Effect.forkChild(note("child"), { startImmediately: true }), note("parent")),
    )
    expect(notes).toEqual(["child", "parent"])
  })

  it("holds a fiber up in its middle where the schedule says so", () => {
    const program: Parameters<typeof run>[1] = (note) =>
      Effect.andThen(
        Effect.forkChild(note("other")),
        Effect.forEach([1, 2, 3, 4, 5, 6], (n) => note(`${n}`), { discard: true }),
      )
    expect(run([], program).notes).toEqual(["1", "2", "3", "4", "5", "6", "other"])
    const orders = Array.from({ length: 60 }, (_, at) =>
      run([at], (note, machine) =>
        Effect.andThen(
          machine.wait(() => Effect.void),
          program(note, machine),
        ),
      ).notes.join(" "),
    )
    expect(new Set(orders).size).toBeGreaterThan(1)
  })

  it("lets time pass only when nobody has anything to do, to the first sleeper", () => {
    const { notes, machine } = run([], (note) =>
      both(
        Effect.andThen(Effect.sleep(2_000), note("late")),
        Effect.andThen(Effect.sleep("1 second"), Effect.andThen(Effect.yieldNow, note("early"))),
      ),
    )
    expect(notes).toEqual(["early", "late"])
    expect(machine.now).toBe(2_000)
  })

  it("forgets who is interrupted while it sleeps", () => {
    const { notes, machine } = run([], (note) =>
      Effect.timeoutOrElse(Effect.sleep(10_000), { duration: 5, orElse: () => note("over") }),
    )
    expect(notes).toEqual(["over"])
    expect(machine.now).toBe(5)
  })

  it("that is stopped runs nothing more, whoever calls", () => {
    const bell = Deferred.makeUnsafe<void>()
    const { notes, machine, isOver } = run([], (note) => Effect.andThen(Deferred.await(bell), note("woken")))
    machine.stop()
    Deferred.doneUnsafe(bell, Effect.void)
    expect(machine.step(undefined, false)).toBe(false)
    expect([notes, isOver]).toEqual([[], false])
  })
})
