/**
 * Twelve bugs, as changes of the source text: each breaks in some orders only.
 *
 * Not here: applying one (`plant.ts`).
 */

export type Edit = readonly [find: string, replacement: string]

export interface Plant {
  readonly name: string
  /** By file: texts that stand in it once each, and what stands there instead. */
  readonly edits: Readonly<Record<string, ReadonlyArray<Edit>>>
  /** The laws that it breaks, one or the other first. */
  readonly rules: ReadonlyArray<string>
}

export const plants: ReadonlyArray<Plant> = [
  {
    name: "the inbox is drained before the claim is logged",
    edits: {
      "src/turn/step.ts": [
        [
          `    const started = yield* session.append("accepted", (state) =>
      isStopping() ? [] : begin(session, voice, state),
    )`,
          `    const drained = session.state().pending
    yield* session.append("synced", () => [])
    const started = yield* session.append("accepted", (state) =>
      isStopping() ? [] : begin(session, voice, { ...state, pending: drained }),
    )`,
        ],
      ],
    },
    rules: ["inbox.order"],
  },
  {
    name: "steering comes between the look at the inbox and the end of the turn",
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
    name: "a body begins before its call is synced",
    edits: {
      "src/call/Calls.ts": [
        [
          `.append(key === undefined ? "synced" : "written", ({ aborting }) =>`,
          `.append("accepted", ({ aborting }) =>`,
        ],
      ],
    },
    rules: ["explore.once"],
  },
  {
    name: "a late abort overwrites a result",
    edits: {
      "src/tool/run.ts": [
        [
          "return Effect.succeed(ran ?? neverStarted)",
          "return Effect.succeed(ran === undefined ? neverStarted : Exit.isFailure(outer) ? { ...ran, aborted: true, exit: Exit.interrupt() } : ran)",
        ],
      ],
    },
    rules: ["explore.kept"],
  },
  {
    name: "a finaliser is skipped when a stream breaks",
    edits: {
      "src/turn/listen.ts": [
        [
          `    Effect.scoped,
  )`,
          `    (hear) => Effect.flatMap(Scope.make(), (scope) => Effect.tap(Scope.provide(hear, scope), () => Scope.close(scope, Exit.void))),
  )`,
        ],
        [
          `import { Cause, Channel, Effect, Pull, Result, Stream } from "effect"`,
          `import { Cause, Channel, Effect, Exit, Pull, Result, Scope, Stream } from "effect"`,
        ],
      ],
    },
    rules: ["judge"],
  },
  {
    name: "the status is stuck when a turn ends and something still waits",
    edits: {
      "src/session/start.ts": [
        [
          `if (event.type === "turn/end") move("idle")`,
          `if (event.type === "turn/end" && ledger.state().pending.length === 0) move("idle")`,
        ],
      ],
    },
    rules: ["status.matches", "explore.idle"],
  },
  {
    name: "a late chunk comes after the close of its step",
    edits: {
      "src/turn/step.ts": [
        [
          "const exit = yield* Effect.exit(Effect.interruptible(run))",
          "const exit = yield* Effect.exit(Effect.flatMap(Effect.forkDetach(run, { startImmediately: true, uninterruptible: false }), (fiber) => Effect.interruptible(Fiber.join(fiber))))",
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
    name: "results are held until the slowest call is over",
    edits: {
      "src/call/Calls.ts": [
        [
          `const takePlace = makeLine(parts.stragglers)`,
          `const takePlace = makeLine(parts.stragglers)
    const all = Latch.makeUnsafe(false)
    let left = blocks.length
    const slowest = Effect.suspend(() => (--left === 0 ? Effect.asVoid(all.open) : all.await))`,
        ],
        [
          `runCall(parts, place, call, takePlace(call))`,
          `runCall(parts, place, call, takePlace(call), slowest)`,
        ],
        [
          `  turnstile: Turnstile,
): Effect.Effect<CallOutcome, AppendError> => {`,
          `  turnstile: Turnstile,
  slowest: Effect.Effect<void>,
): Effect.Effect<CallOutcome, AppendError> => {`,
        ],
        [
          `return logEnd(parts, place, call, settled, started !== undefined)`,
          `return Effect.andThen(slowest, logEnd(parts, place, call, settled, started !== undefined))`,
        ],
        [
          `import { type Cause, Effect, Fiber, type Semaphore } from "effect"`,
          `import { type Cause, Effect, Fiber, Latch, type Semaphore } from "effect"`,
        ],
      ],
    },
    rules: ["explore.kept"],
  },
  {
    name: "a result comes twice when time is up and the call is over",
    edits: {
      "src/turn/Turn.ts": [
        [
          `      turn.interruptUnsafe()
    })
    return Effect.forkChild(Effect.andThen(Effect.sleep(millis), expire))`,
          `      turn.interruptUnsafe()
    })
    const answer = Effect.exit(session.append("written", (state) => Recovery.repairStep(state, session.log()).slice(0, -1)))
    return Effect.forkChild(Effect.andThen(Effect.andThen(Effect.sleep(millis), answer), expire))`,
        ],
        [`forkTimer(limits.wallTime, stop)`, `forkTimer(limits.wallTime, stop, session)`],
        [
          `const forkTimer = (wallTime: Duration.Input, stop: Stop)`,
          `const forkTimer = (wallTime: Duration.Input, stop: Stop, session: Session)`,
        ],
      ],
    },
    rules: ["result.paired", "step.nests"],
  },
  {
    name: "an abort is forgotten by the process that resumes",
    edits: {
      "src/recovery/Recovery.ts": [
        ["state.turnIsOpen && !state.aborting && countResumes(log)", "state.turnIsOpen && countResumes(log)"],
      ],
      "src/turn/Turn.ts": [
        [
          "const isStopping = () => stop.cause !== undefined || session.state().aborting",
          "const isStopping = () => stop.cause !== undefined || (session.state().aborting && !isResumed)",
        ],
      ],
    },
    rules: ["turn.abortWins"],
  },
  {
    name: "a repair is not idempotent",
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
    name: "a message is acknowledged before it is synced",
    edits: {
      "src/loop/accept.ts": [
        [`return session.append("synced", draft).pipe(`, `return session.append("accepted", draft).pipe(`],
      ],
    },
    rules: ["explore.conserves"],
  },
]
