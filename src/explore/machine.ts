/**
 * One process as a machine that does one thing at a time, and lets a schedule choose which.
 *
 * In:  `Choices`.      Out: an Effect `Scheduler` whose run queue is this machine's; waits for the world outside; a clock.
 * Fails with: nothing. A machine that is stopped runs nothing more, whoever calls.
 * Order: unless chosen otherwise, fibers before the world outside before fibers that are held up before time before what is
 * said, each first in first out; so time stands still while anybody has something to do.
 * Not here: what is outside (`medium.ts`, `speaker.ts`, `bodies.ts`), when a life is over (`live.ts`).
 */
import { type Clock, Context, Duration, Effect, type Fiber, type Scheduler } from "effect"
import type { Choices } from "./choices.ts"

/** Something outside that is under way, and what happens when it is done. */
interface Wait {
  readonly done: () => void
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Operations after which a fiber may be held up. */
const preemptions = 64

/** Whether a fiber is in the body of a tool: code that nobody has tried in other orders yet. */
export const IsBody = Context.Reference<boolean>("effect-harness/explore/IsBody", {
  defaultValue: () => false,
})

export class Machine implements Scheduler.Scheduler {
  readonly executionMode = "async"
  readonly clock: Clock.Clock
  readonly choices: Choices
  now: number
  hasStopped = false
  private tasks: Array<() => void> = []
  private waits: Array<Wait> = []
  /** Fibers that are held up in their middle until nothing else goes on. */
  private held: Array<() => void> = []
  private sleepers: Array<Sleeper> = []
  private readonly seen = new WeakSet<object>()
  /** The task that runs may run a fiber at once; every other fiber that goes on takes its place in the queue. */
  private isGranted = false
  /** Operations of the task that runs. */
  private operations = 0
  /** After so many of them the fiber is held up; 0 for never. */
  private holdAt = 0
  private isHolding = false

  constructor(choices: Choices, now: number) {
    this.choices = choices
    this.now = now
    this.clock = makeClock(this)
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    if (this.hasStopped) return true
    if (fiber.currentOpCount === 1) {
      const isNew = !this.seen.has(fiber)
      if (isNew) this.seen.add(fiber)
      // A fiber that is to start at once does so: that is promised.
      if (!isNew && !this.isGranted) return true
      this.isGranted = false
    }
    this.operations += 1
    if (this.operations < preemptions && fiber.getRef(IsBody)) this.choices.worth(this.operations)
    this.isHolding = this.operations === this.holdAt
    return this.isHolding
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return {
      scheduleTask: (task) => {
        if (this.hasStopped) return
        if (this.isHolding) this.held.push(task)
        else this.tasks.push(task)
        this.isHolding = false
      },
      flush: () => {},
    }
  }

  /** Wait for the world outside; `outcome` is asked when this is chosen to be next. */
  wait<A, E>(outcome: () => Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.callback((resume) => {
      const wait: Wait = { done: () => resume(outcome()) }
      this.waits.push(wait)
      return Effect.sync(() => {
        this.waits = this.waits.filter((one) => one !== wait)
      })
    })
  }

  sleep(millis: number): Effect.Effect<void> {
    if (millis === Infinity) return Effect.never
    return Effect.callback((resume) => {
      const sleeper: Sleeper = {
        at: this.now + Math.ceil(Math.max(0, millis)),
        wake: () => resume(Effect.void),
      }
      const place = this.sleepers.findIndex(({ at }) => at > sleeper.at)
      this.sleepers.splice(place < 0 ? this.sleepers.length : place, 0, sleeper)
      return Effect.sync(() => {
        this.sleepers = this.sleepers.filter((one) => one !== sleeper)
      })
    })
  }

  /** Whether nothing goes on but by time, or by somebody who says something. */
  isQuiet(): boolean {
    return this.tasks.length === 0 && this.waits.length === 0 && this.held.length === 0
  }

  /** Do one thing: one of its own, or `say`, which comes before time passes only when it `isUrgent`. False when there is none. */
  step(say: (() => void) | undefined, isUrgent: boolean): boolean {
    const wake = this.sleepers.length > 0 ? () => this.wakeFirst() : undefined
    const others = (isUrgent ? [say, wake] : [wake, say]).filter((one) => one !== undefined)
    const outside = this.tasks.length + this.waits.length
    const busy = outside + this.held.length
    const width = busy + others.length
    if (width === 0) return false
    const choice = this.choices.choose("next", width)
    if (choice < this.tasks.length) this.runTask(this.tasks, choice)
    else if (choice >= outside && choice < busy) this.runTask(this.held, choice - outside)
    else if (choice < outside) this.waits.splice(choice - this.tasks.length, 1)[0]?.done()
    else others[choice - busy]?.()
    return true
  }

  /** The process is dead: whoever waits, waits for ever. */
  stop(): void {
    this.hasStopped = true
    this.tasks = []
    this.waits = []
    this.held = []
    this.sleepers = []
  }

  private runTask(tasks: Array<() => void>, place: number): void {
    const [task] = tasks.splice(place, 1)
    this.operations = 0
    this.holdAt = this.choices.choose("preempt", preemptions)
    this.isGranted = true
    task?.()
    this.isGranted = false
    this.holdAt = 0
  }

  private wakeFirst(): void {
    const sleeper = this.sleepers.shift()
    if (sleeper === undefined) return
    this.now = Math.max(this.now, sleeper.at)
    sleeper.wake()
  }
}

const makeClock = (machine: Machine): Clock.Clock => ({
  currentTimeMillisUnsafe: () => machine.now,
  currentTimeMillis: Effect.sync(() => machine.now),
  currentTimeNanosUnsafe: () => BigInt(machine.now) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(machine.now) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => BigInt(machine.now) * 1_000_000n,
  monotonicTimeNanos: Effect.sync(() => BigInt(machine.now) * 1_000_000n),
  sleep: (duration) => machine.sleep(Duration.toMillis(duration)),
})
