/**
 * Twelve bugs, as changes of the source text: each breaks in some orders only.
 *
 * Not here: applying one (`plant.ts`).
 */

export type Edit = readonly [find: string, replacement: string]

export interface Plant {
  readonly name: string
  /** Finds it within twenty schedules; most need more: this one saves time in the normal run. */
  readonly seed: number
  /** By file: texts that stand in it once each, and what stands there instead. */
  readonly edits: Readonly<Record<string, ReadonlyArray<Edit>>>
  /** The laws that it breaks, one or the other first. */
  readonly rules: ReadonlyArray<string>
}

export const plants: ReadonlyArray<Plant> = [
  {
    name: "the inbox is drained before the claim is logged",
    seed: 4,
    edits: {
      "src/turn/step.ts": [
        [
          `    parts.session.append("accepted", (state) => (isStopping() ? [] : begin(parts.session, voice, state))),`,
          `    Effect.suspend(() => {
      const drained = parts.session.state().pending
      return Effect.andThen(
        parts.session.append("synced", () => []),
        parts.session.append("accepted", (state) =>
          isStopping() ? [] : begin(parts.session, voice, { ...state, pending: drained }),
        ),
      )
    }),`,
        ],
      ],
    },
    rules: ["inbox.order"],
  },
  {
    name: "steering comes between the look at the inbox and the end of the turn",
    seed: 15,
    edits: {
      "src/turn/Turn.ts": [
        [
          `const close = (session: Session, end: End, stop: Stop): Effect.Effect<Ended | undefined, AppendError> =>
  session
    .append("synced", (state) => {
      const isSteered = state.pending.some((message) => message.kind === "steering")`,
          `const close = (session: Session, end: End, stop: Stop): Effect.Effect<Ended | undefined, AppendError> =>
  Effect.suspend(() => {
    const before = session.state().pending
    return Effect.as(session.append("written", () => []), before)
  }).pipe(Effect.flatMap((before) => session
    .append("synced", (state) => {
      const isSteered = before.some((message) => message.kind === "steering")`,
        ],
        [
          `    .pipe(Effect.map(([event]) => event && told(event, end)))

/** Something that had`,
          `    .pipe(Effect.map(([event]) => event && told(event, end)))))

/** Something that had`,
        ],
      ],
    },
    rules: ["inbox.noForgottenSteer"],
  },
  {
    name: "a body begins before its call is synced, while another call is being written",
    seed: 9,
    edits: {
      "src/call/Calls.ts": [
        [
          `const logStart = (
  session: Session,`,
          `const starting = new WeakMap<Session, number>()
const countStart = (session: Session, change: number) =>
  starting.set(session, (starting.get(session) ?? 0) + change)
const logStart = (
  session: Session,`,
        ],
        [
          `  return session.append(key === undefined ? "synced" : "written", ({ aborting }) =>
    aborting ? [] : [{ type: "tool/call", data }],
  )`,
          `  const durability = (starting.get(session) ?? 0) > 0 ? "accepted" : key === undefined ? "synced" : "written"
  countStart(session, 1)
  return session
    .append(durability, ({ aborting }) =>
      aborting ? [] : [{ type: "tool/call", data }],
    )
    .pipe(Effect.ensuring(Effect.sync(() => countStart(session, -1))))`,
        ],
      ],
    },
    rules: ["explore.once"],
  },
  {
    name: "a late abort overwrites a result that waits to be logged",
    seed: 16,
    edits: {
      "src/call/Calls.ts": [
        [
          `      return logEnd(parts, place, call, settled, started !== undefined)`,
          `      const wasAborting = session.state().aborting
      const end = () =>
        !wasAborting && session.state().aborting && settled.result.outcome === "success"
          ? { ...settled, result: { ...settled.result, outcome: "interrupted" as const, isError: true, error: { name: "ToolInterrupted", code: "ABORTED" } } }
          : settled
      return Effect.andThen(
        session.append("synced", () => []),
        Effect.suspend(() => logEnd(parts, place, call, end(), started !== undefined)),
      )`,
        ],
      ],
    },
    rules: ["explore.kept"],
  },
  {
    name: "a finaliser is skipped when a stream breaks",
    seed: 1,
    edits: {
      "src/turn/pull.ts": [
        [
          "Effect.scopedWith((scope) =>",
          `((use) =>
    Effect.flatMap(Scope.make(), (scope) => Effect.tap(use(scope), () => Scope.close(scope, Exit.void))))((scope) =>`,
        ],
        [
          `import { type Cause, Channel, Effect, Pull, type Stream } from "effect"`,
          `import { Channel, Effect, Exit, Pull, Scope } from "effect"`,
        ],
      ],
    },
    rules: ["judge"],
  },
  {
    name: "the status is stuck when an abort comes between the end of a step and that of its turn",
    seed: 21,
    edits: {
      "src/session/start.ts": [
        [
          `  return {
    now: () => status,`,
          `  let before = ["", "", ""]
  return {
    now: () => status,`,
        ],
        [
          `if (type === "turn/end") move("idle")`,
          `if (type === "turn/end" && before.join() !== "assistant/message,step/end,turn/abort") move("idle")
      before = [...before.slice(1), type]`,
        ],
      ],
    },
    rules: ["status.matches", "explore.idle"],
  },
  {
    name: "a late chunk comes after the close of its step",
    seed: 2,
    edits: {
      "src/turn/step.ts": [
        [
          "Effect.matchCauseEffect(Effect.interruptible(run), {",
          "Effect.matchCauseEffect(Effect.flatMap(Effect.forkDetach(run, { startImmediately: true, uninterruptible: false }), (fiber) => Effect.interruptible(Fiber.join(fiber))), {",
        ],
        [
          `import { Cause, Effect, Exit } from "effect"`,
          `import { Cause, Effect, Exit, Fiber } from "effect"`,
        ],
      ],
    },
    rules: ["step.phase", "step.nests", "turn.closedIsClosed"],
  },
  {
    name: "the result of an idempotent call is held until the slowest call is over",
    seed: 18,
    edits: {
      "src/call/Calls.ts": [
        [
          `const takePlace = makeLine(parts.stragglers)`,
          `const takePlace = makeLine(parts.stragglers)
    const all = Latch.makeUnsafe(false)
    let left = blocks.length
    const slowest = (isIdempotent: boolean) =>
      Effect.suspend(() =>
        --left === 0 ? Effect.asVoid(all.open) : isIdempotent ? all.await : Effect.void,
      )`,
        ],
        [
          `runCall(parts, place, call, takePlace(call))`,
          `runCall(parts, place, call, takePlace(call), slowest)`,
        ],
        [
          `  turnstile: Turnstile,
): Effect.Effect<CallOutcome, AppendError> => {`,
          `  turnstile: Turnstile,
  slowest: (isIdempotent: boolean) => Effect.Effect<void>,
): Effect.Effect<CallOutcome, AppendError> => {`,
        ],
        [
          `return logEnd(parts, place, call, settled, started !== undefined)`,
          `return Effect.andThen(slowest(started?.key !== undefined), logEnd(parts, place, call, settled, started !== undefined))`,
        ],
        [
          `import { type Cause, Effect, Exit, Fiber, type Semaphore } from "effect"`,
          `import { type Cause, Effect, Exit, Fiber, Latch, type Semaphore } from "effect"`,
        ],
      ],
    },
    rules: ["explore.kept"],
  },
  {
    name: "a result comes twice when time is up while it is being written",
    seed: 1,
    edits: {
      "src/call/Calls.ts": [
        [
          `    const logged = parts.session.append("written", () => (started ? [ended] : [neverRan(), ended]))`,
          `    const once = parts.session.append("written", () => (started ? [ended] : [neverRan(), ended]))
    const isTold = Effect.map(Effect.exit(Effect.interruptible(Effect.void)), Exit.isFailure)
    const again = parts.session.append("written", () => [ended])
    const logged = Effect.flatMap(isTold, (before) =>
      Effect.flatMap(once, () => Effect.flatMap(isTold, (after) => (after && !before ? again : Effect.succeed([])))),
    )`,
        ],
      ],
    },
    rules: ["result.paired", "step.nests"],
  },
  {
    name: "an abort is forgotten by the process that resumes a second time",
    seed: 17,
    edits: {
      "src/recovery/Recovery.ts": [
        [
          "state.turnIsOpen && !state.aborting && countResumes(log)",
          "state.turnIsOpen && (!state.aborting || countResumes(log) > 0) && countResumes(log)",
        ],
      ],
      "src/turn/Turn.ts": [
        [
          "const isStopping = () => stop.cause !== undefined || session.state().aborting",
          `const wasAborting = isResumed && session.state().aborting
    const isStopping = () => stop.cause !== undefined || (session.state().aborting && !wasAborting)`,
        ],
      ],
    },
    rules: ["turn.abortWins"],
  },
  {
    name: "a repair is not idempotent",
    seed: 10,
    edits: {
      "src/recovery/answer.ts": [
        [
          "return [neverStarts(callId, log) ? notStarted(place, call) : ran(place, call, standing)]",
          "return [ran(place, call, standing)]",
        ],
      ],
    },
    rules: ["explore.repair"],
  },
  {
    name: "a message is acknowledged before it is synced, when it steers a turn that has not begun",
    seed: 4,
    edits: {
      "src/loop/accept.ts": [
        [
          `return session.append("synced", draft).pipe(`,
          `const { pending, turnIsOpen } = session.state()
      const isEarly = kind === "steering" && !turnIsOpen && pending.length > 0
      return session.append(isEarly ? "accepted" : "synced", draft).pipe(`,
        ],
      ],
    },
    rules: ["explore.conserves"],
  },
]
