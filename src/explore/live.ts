/**
 * The life of one process: it serves the session until nothing is left to do, or until it is over.
 *
 * In:  a course, which outlives it.      Out: how the life ended; what was said and told meanwhile is in the course.
 * Fails with: nothing; what is wrong becomes the course's violation, and ends the life.
 * Order: time stands still for a promise of somebody's that is resolved already: it is heard before anything else is said. What
 * waits for a real timer or a server is waited for when nothing else can go on, for a second at most.
 * Not here: what must be true when a life is over (`judge.ts`), the next life (`play.ts`).
 */
import { Cause, Clock, Context, Deferred, Effect, Exit, type Fiber, Scheduler } from "effect"
import * as DevInvariants from "../invariant/DevInvariants.ts"
import { liveRules } from "../invariant/Rules.ts"
import * as Agent from "../loop/Agent.ts"
import { Ids } from "../message/Ids.ts"
import { Model } from "../model/Model.ts"
import { Observer } from "../session/Observer.ts"
import * as SessionLog from "../session/SessionLog.ts"
import { SessionStore } from "../store/SessionStore.ts"
import { type Begun, countBodies } from "./bodies.ts"
import type { Course, Said } from "./course.ts"
import { Machine } from "./machine.ts"
import { speaker } from "./speaker.ts"
import { describe, type Present } from "./story.ts"

/** An agent at work, and the way to run something beside it. */
export interface Alive extends Present {
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

export type LifeEnd = "crashed" | "failed" | "restarted" | "over"

/** Things that one process does before it is taken to go on for ever. */
const mostSteps = 20_000

export const live = async (course: Course, judge: (alive: Alive) => string | undefined): Promise<LifeEnd> => {
  const machine = new Machine(course.choices, course.now)
  const life = makeLife(course, machine)
  await drive(course, machine, life)
  const fault = isRight(course, machine) ? await faultOf(course, machine, life, judge) : undefined
  if (fault !== undefined) course.blame("explore.idle", fault)
  const isRestart = life.isClosing
  life.close()
  await drive(course, machine, life)
  if (isRight(course, machine) && !life.isOver())
    course.blame("explore.stuck", "the agent's scope does not close")
  course.now = machine.now
  if (machine.hasStopped) lostBodies(course, machine)
  if (machine.hasStopped) return "crashed"
  machine.stop()
  if (course.medium.hasFailed()) return "failed"
  return isRestart ? "restarted" : "over"
}

const faultOf = async (
  course: Course,
  machine: Machine,
  life: Life,
  judge: (alive: Alive) => string | undefined,
): Promise<string | undefined> => {
  if (life.isClosing) return undefined
  if (life.alive === undefined || life.isOver()) return life.whyNot()
  const fault = judge(life.alive)
  if (fault === undefined) return idles(course, machine, life.alive)
  return [fault, ...runningIn(course, machine).map(({ tool }) => waitsOutside(tool))].join("; ")
}

const waitsOutside = (tool: string): string =>
  `the body of ${tool} waits for something outside the explored world: give it Effect.sleep or a service`

/** A process that has crashed, or whose store fails it, owes nobody anything. */
const isRight = (course: Course, machine: Machine): boolean =>
  course.violation === undefined && !machine.hasStopped && !course.medium.hasFailed()

interface Life {
  alive: Alive | undefined
  isClosing: boolean
  readonly close: () => void
  readonly isOver: () => boolean
  readonly whyNot: () => string
  /** The next thing that may be said now. */
  readonly next: () => (() => void) | undefined
}

const makeLife = (course: Course, machine: Machine): Life => {
  const closing = Deferred.makeUnsafe<void>()
  const begin = (alive: Alive) => {
    life.alive = alive
  }
  const life: Life = {
    alive: undefined,
    isClosing: false,
    close: () => {
      life.isClosing = true
      Deferred.doneUnsafe(closing, Effect.void)
    },
    isOver: () => fiber.pollUnsafe() !== undefined,
    whyNot: () => {
      const exit = fiber.pollUnsafe()
      return exit !== undefined && Exit.isFailure(exit)
        ? `the agent could not be made: ${Cause.pretty(exit.cause)}`
        : "making the agent does not end"
    },
    next: () => {
      const { alive } = life
      const said = course.said.find(({ isBegun }) => !isBegun)
      if (alive === undefined || said === undefined || life.isClosing || course.medium.hasFailed())
        return undefined
      return () => say(course, life, alive, said)
    },
  }
  const fiber = Effect.runFork(serve(course, machine, closing, begin), { scheduler: machine })
  return life
}

const serve = (
  course: Course,
  machine: Machine,
  closing: Deferred.Deferred<void>,
  ready: (alive: Alive) => void,
) => {
  const { world, medium, tell, begun } = course
  const { services, agent: options } = world
  const run = Effect.gen(function* () {
    const session = yield* medium.events().length === 0
      ? SessionLog.create({ id: "explored" })
      : SessionLog.open("explored")
    const { tools, ...rest } = options()
    const agent = yield* Agent.make({ ...rest, session, tools: countBodies(tools, machine, begun, tell) })
    ready({ agent, session, fork: Effect.runForkWith(yield* Effect.context<never>()) })
    yield* Deferred.await(closing)
  })
  const provided = Context.make(SessionStore, medium.storeOf(machine)).pipe(
    Context.add(Model, speaker(course, machine)),
    Context.add(Ids, course.ids),
    Context.add(Clock.Clock, machine.clock),
    Context.add(Scheduler.Scheduler, machine),
  )
  // The rules over logs are held against the log that is left in the end, once.
  const watching = DevInvariants.observer(
    { log: [], live: liveRules },
    { report: ({ rule, seq, message }) => course.blame(rule, `at seq ${seq}: ${message}`) },
  )
  const served = services === undefined ? run : Effect.provide(run, services)
  return Effect.scoped(served).pipe(Effect.provideContext(Context.add(provided, Observer, watching)))
}

const say = (course: Course, life: Life, alive: Alive, said: Said): void => {
  const { stimulus } = said
  said.isBegun = true
  course.tell.say(describe(stimulus))
  if (stimulus.kind === "restart") {
    said.exit = Exit.succeed(undefined)
    life.close()
    return
  }
  said.exit = undefined
  alive.fork(act(alive, stimulus)).addObserver((exit) => {
    said.exit = exit
    const { kind } = stimulus
    course.tell.say(
      `  ${kind === "act" ? describe(stimulus) : kind} ${Exit.isSuccess(exit) ? "returns" : `fails: ${Cause.squash(exit.cause)}`}`,
    )
  })
}

const act = ({ agent, session }: Present, stimulus: Said["stimulus"]): Effect.Effect<unknown, unknown> => {
  if (stimulus.kind === "act") return Effect.suspend(() => stimulus.run({ agent, session }))
  if (!("messageId" in stimulus)) return agent.abort()
  const { kind, messageId, text } = stimulus
  return kind === "inject"
    ? agent.inject(text, { messageId, source: "explorer" })
    : agent[kind](text, { messageId })
}

/** Let the machine run until nothing is left to do. */
const drive = async (course: Course, machine: Machine, life: Life): Promise<void> => {
  for (let step = 0; step < mostSteps; step++) {
    if (course.violation !== undefined || machine.hasStopped) return
    if (machine.isQuiet()) {
      if (runningIn(course, machine).length > 0) await settle()
      settleBodies(course, machine)
    }
    const isDone = machine.isQuiet() && (life.isClosing ? life.isOver() : isServed(course, life))
    if (isDone) return
    const goesOn = machine.step(life.next(), life.alive?.session.status() === "idle")
    if (!goesOn && !(await comesFromOutside(course, machine))) return
  }
  course.blame("explore.livelock", `the process goes on for ever: ${mostSteps} steps`)
}

/** A body that is over when nobody has anything to do has its result in the log. */
const settleBodies = ({ begun, medium }: Course, machine: Machine): void => {
  if (!machine.isQuiet() || medium.hasFailed()) return
  for (const body of begun) if (body.process === machine && !body.isRunning) body.isSettled = true
}

/** What was over long before a crash is not for the next process to find out. */
const lostBodies = ({ begun, medium, blame }: Course, machine: Machine): void => {
  for (const { process, isSettled, tool, callId } of begun) {
    if (process === machine && isSettled && !medium.answered.has(callId))
      blame(
        "explore.kept",
        `the body of ${tool} was over (${callId}), and its result was not logged before the crash`,
      )
  }
}

/** All was said and told, and nothing runs; what still sleeps may sleep on. */
const isServed = (course: Course, { alive }: Life): boolean =>
  alive !== undefined &&
  alive.session.status() !== "running" &&
  course.said.every(({ isBegun, exit }) => isBegun && exit !== undefined)

/** Being told of idleness takes no time and no help from outside. */
const idles = async (
  course: Course,
  machine: Machine,
  { agent, fork }: Alive,
): Promise<string | undefined> => {
  const fiber = fork(agent.awaitIdle)
  for (let step = 0; step < mostSteps && fiber.pollUnsafe() === undefined; step++) {
    if (course.violation !== undefined || !machine.step(undefined, false)) break
  }
  return fiber.pollUnsafe() === undefined
    ? "awaitIdle does not return, though nothing runs and nothing waits"
    : undefined
}

const runningIn = ({ begun }: Course, machine: Machine): ReadonlyArray<Begun> =>
  begun.filter(({ isRunning, process }) => isRunning && process === machine)

/** Nothing can go on but a body that waits for the real world: wait with it. False when there is none, or for too long. */
const comesFromOutside = async (course: Course, machine: Machine): Promise<boolean> => {
  if (runningIn(course, machine).length === 0) return false
  const until = performance.now() + course.patienceMillis
  while (performance.now() < until) {
    await new Promise((resolve) => void setTimeout(resolve, 1))
    if (!machine.isQuiet()) return true
  }
  return false
}

/** A body that waits for a promise is seen in none of the queues: give what is resolved the time to be heard. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
