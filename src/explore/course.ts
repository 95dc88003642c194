/**
 * What of one run outlives its processes.
 *
 * In:  a world, what is to be said, choices.      Out: `Course`.
 * Order: the first violation stays; what follows from it is told by nobody.
 */
import { type Exit, type Layer, Record } from "effect"
import type { SessionEvent, TurnEndReason } from "../event/SessionEvent.ts"
import type * as Agent from "../loop/Agent.ts"
import { type Ids, sequential } from "../message/Ids.ts"
import type { Model } from "../model/Model.ts"
import type * as ScriptedModel from "../model/ScriptedModel.ts"
import type { Begun } from "./bodies.ts"
import type { Choices } from "./choices.ts"
import * as Medium from "./medium.ts"
import type { Stimulus, Tell } from "./story.ts"

/** What a run begins with; made anew for each, so that no run sees what another has done. */
export interface World {
  /** Called once a process: what is made in here dies with it. */
  readonly agent: () => Omit<Agent.Options<never, never>, "session" | "answer">
  /** A script goes by the answers that the history holds, so a step that broke off is said again. */
  readonly model: ScriptedModel.Plan | Model["Service"]
  /** What follows the last step of a script: `fail` breaks the turn, and is the default; `empty` text completes it. */
  readonly whenUsedUp?: "fail" | "empty"
  /** Guards, approvers and what else is found by reference. */
  readonly services?: Layer.Layer<never>
  /** Say or throw what is wrong when all is over, if something is: your own law. Anything but texts is refused. */
  // biome-ignore lint/suspicious/noConfusingVoidType: `() => expect(seat).toBe(free)` is a judge that throws.
  readonly judge?: (end: End) => void | undefined | string | ReadonlyArray<string>
}

/** A run whose last process had nothing left to do. */
export interface End {
  readonly log: ReadonlyArray<SessionEvent>
}

/** How often there may be trouble in one run. */
export interface Faults {
  readonly crashes: number
  readonly storeFailures: number
  readonly cuts: number
}

export interface Violation {
  readonly rule: string
  readonly message: string
}

/** What was lived through, in one run or in many: whether there was anything to break. */
export interface Summary {
  readonly runs: number
  /** How turns ended. */
  readonly turns: Readonly<Record<TurnEndReason["kind"], number>>
  /** What the model was asked. */
  readonly requests: number
  /** Bodies of tools that began. */
  readonly bodies: number
  readonly crashes: number
  readonly storeFailures: number
  readonly cuts: number
}

/** Something that is said, as often as it takes to get an answer. */
export interface Said {
  readonly stimulus: Stimulus
  isBegun: boolean
  exit: Exit.Exit<unknown, unknown> | undefined
}

export interface Course {
  readonly world: World
  readonly said: ReadonlyArray<Said>
  readonly choices: Choices
  readonly left: Medium.Left
  readonly medium: Medium.Medium
  readonly begun: Array<Begun>
  readonly ids: Ids
  readonly tell: Tell
  readonly patienceMillis: number
  /** Units: milliseconds of the virtual clock. */
  now: number
  requests: number
  violation: Violation | undefined
  readonly blame: (rule: string, message: string) => void
}

export const make = (options: {
  readonly world: World
  readonly stimuli: ReadonlyArray<Stimulus>
  readonly faults: Faults
  readonly choices: Choices
  readonly tell: Tell
  readonly patienceMillis: number
}): Course => {
  const { world, stimuli, faults, choices, tell, patienceMillis } = options
  const left = { ...faults }
  const course: Course = {
    world,
    said: stimuli.map((stimulus) => ({ stimulus, isBegun: false, exit: undefined })),
    choices,
    left,
    medium: Medium.make(left, tell),
    begun: [],
    ids: sequential(),
    tell,
    patienceMillis,
    now: 0,
    requests: 0,
    violation: undefined,
    blame: (rule, message) => {
      course.violation ??= { rule, message }
    },
  }
  return course
}

/** What a run that is over has been through. */
export const summary = ({ medium, left, requests, begun }: Course, faults: Faults): Summary => {
  const turns = { ...noTurns }
  for (const event of medium.events()) if (event.type === "turn/end") turns[event.data.reason.kind] += 1
  return {
    runs: 1,
    turns,
    requests,
    bodies: begun.length,
    crashes: faults.crashes - left.crashes,
    storeFailures: faults.storeFailures - left.storeFailures,
    cuts: faults.cuts - left.cuts,
  }
}

const noTurns: Summary["turns"] = {
  completed: 0,
  aborted: 0,
  failed: 0,
  limit: 0,
  interrupted: 0,
  disposed: 0,
}

export const nothing: Summary = {
  runs: 0,
  turns: noTurns,
  requests: 0,
  bodies: 0,
  crashes: 0,
  storeFailures: 0,
  cuts: 0,
}

export const add = (left: Summary, right: Summary): Summary => ({
  runs: left.runs + right.runs,
  turns: Record.map(left.turns, (count, kind) => count + right.turns[kind]),
  requests: left.requests + right.requests,
  bodies: left.bodies + right.bodies,
  crashes: left.crashes + right.crashes,
  storeFailures: left.storeFailures + right.storeFailures,
  cuts: left.cuts + right.cuts,
})
