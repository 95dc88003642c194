/**
 * What a body is told about the call that it serves, and what the caller of the call may add.
 *
 * In:  the call's id, the tool's name, the model's text.      Out: `CallInfo`; key and signal are made on first use.
 * Fails with: nothing.
 * Not here: the arguments (a body's first parameter), the result (`encode.ts`).
 */
import { Effect } from "effect"
import * as Digest from "../message/Digest.ts"
import { readArguments } from "../message/ToolCall.ts"
import type { Repair } from "../message/ToolResult.ts"
import type { Approver } from "../policy/Approver.ts"
import type { Resources } from "../policy/Resources.ts"
import type { Again } from "../policy/Retry.ts"

export interface CallInfo {
  readonly callId: string
  /**
   * Equal for two runs of the same call, also after a crash, and different for any other: what an idempotent service
   * wants to be given. It is made of what the log has of every call; it stands in a `tool/call` itself only when the tool
   * is idempotent, because there it says that the call may be run again.
   */
  readonly key: string
  /** Aborts when the body is interrupted; its reason is a `TimeoutError` when `Tool.timeout` did it, else an `AbortError`. */
  readonly signal: AbortSignal
  /**
   * Tell the person who waits what goes on; the model never reads it. In an async body, calling it is enough: what it
   * returns need not be run.
   */
  readonly progress: (text: string) => Effect.Effect<void>
  /** Tell the caller that the body is to run again; `Tool.retry` does so. */
  readonly again?: (again: Again) => Effect.Effect<void>
  /** The async bodies of this call that were told to stop and have not. */
  readonly lingering?: Set<Promise<unknown>> | undefined
}

/** What a caller may say about a call; an id is drawn from `Ids` when none is given. */
export interface CallOptions {
  readonly callId?: string
  readonly progress?: CallInfo["progress"]
  readonly again?: (again: Again) => Effect.Effect<void>
  /** Hear what a policy of `Tool.lenient` changed in the arguments, one change each, before the body runs. */
  readonly onRepair?: (repair: Repair) => Effect.Effect<void>
}

const ignore = (): Effect.Effect<void> => Effect.void

/** What the caller may put between the checks and the body. */
export interface CallHooks {
  /** In what the call's id is unique, such as a session: two scopes never share a key. */
  readonly scope?: string
  /** The key under which the call ran before; made of the call unless given. */
  readonly key?: string
  /**
   * Hear what the call will read and write, as soon as its arguments are decoded and before anybody is asked whether
   * it may run. A call whose arguments are refused ends without it. With `slot`, this is enough to keep conflicting
   * calls in order: wait there for those before it that have not said, or said something that conflicts.
   */
  readonly onPlanned?: (resources: Resources) => void
  /** Who answers what a guard asks about this call; the approver of the context unless given. */
  readonly approver?: Approver
  /** Wrap the wait for a slot and the body; an interruption inside it before `onStart` never started the call. */
  readonly slot?: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Run after decode, authorize and the slot, before the body, uninterruptibly. When it dies the body does not
   * start and the defect is not turned into an outcome.
   */
  readonly onStart?: (info: { readonly key?: string }) => Effect.Effect<void>
  /** Hear what the body says while it runs, and nothing that it says later. */
  readonly onProgress?: (text: string) => Effect.Effect<void>
  /** Hear that an async body did not stop in the time that it had; `until` settles when it has. */
  readonly onLinger?: (until: Promise<unknown>) => void
  /** Hear that the body runs again, before it does. */
  readonly onRetry?: (again: Again) => Effect.Effect<void>
}

/** The info of one call, and how often its body has been run: never, when it waited for its turn until it was stopped. */
export interface Counted extends CallInfo {
  readonly attempts: number
  readonly lingering: Set<Promise<unknown>>
  readonly lingers: boolean
}

/** Make the info of one call of one tool. */
export const make = (
  tool: string,
  argumentText: string,
  callId: string,
  progress: CallInfo["progress"] = ignore,
  again: NonNullable<CallInfo["again"]> = ignore,
  scope = "",
  key?: string,
): Counted => new Call(tool, argumentText, callId, progress, again, scope, key)

/** Count one run of a body, and give it a signal of its own: a second run after a time-out starts fresh. */
export const attempt = (call: CallInfo): Attempt => {
  // A body that hands its info on to the body of another tool is one run of its own call.
  if (call instanceof Call) call.attempts++
  return new Attempt(call)
}

// Classes, because a literal with getters costs a microsecond, and every call makes two.
class Call implements Counted {
  readonly callId: string
  readonly progress: CallInfo["progress"]
  attempts = 0
  readonly #again: NonNullable<CallInfo["again"]>
  readonly #tool: string
  readonly #argumentText: string
  readonly #scope: string
  #key: string | undefined
  #signal: AbortSignal | undefined
  #lingering: Set<Promise<unknown>> | undefined

  constructor(
    tool: string,
    argumentText: string,
    callId: string,
    progress: CallInfo["progress"],
    again: NonNullable<CallInfo["again"]>,
    scope: string,
    key: string | undefined,
  ) {
    this.callId = callId
    this.progress = progress
    this.#again = again
    this.#tool = tool
    this.#argumentText = argumentText
    this.#scope = scope
    this.#key = key
  }

  again(again: Again): Effect.Effect<void> {
    return this.#again(again)
  }

  get key(): string {
    this.#key ??= Digest.ofJson([this.#scope, this.callId, this.#tool, readArguments(this.#argumentText)])
    return this.#key
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal
    return this.#signal
  }

  get lingering(): Set<Promise<unknown>> {
    this.#lingering ??= new Set()
    return this.#lingering
  }

  get lingers(): boolean {
    return this.#lingering !== undefined && this.#lingering.size > 0
  }
}

/** One word of a body, and the Effect that tells it. */
interface Said {
  readonly tell: Effect.Effect<void>
  isTold: boolean
}

export class Attempt implements CallInfo {
  readonly callId: string
  readonly progress: CallInfo["progress"]
  readonly #call: CallInfo
  /** What was said before it is known whether the body runs Effects. */
  #unheard: Array<Said> = []
  #hear = (said: Said): void => void this.#unheard.push(said)
  #isHeard = false
  #controller: AbortController | undefined
  #signal: AbortSignal | undefined
  /** The promise of an async body; it never rejects. */
  running: Promise<unknown> | undefined

  constructor(call: CallInfo) {
    this.callId = call.callId
    this.progress = (text) => this.#say({ tell: call.progress(text), isTold: false })
    this.#call = call
  }

  #say(said: Said): Effect.Effect<void> {
    this.#hear(said)
    return Effect.suspend(() => {
      if (said.isTold && this.#isHeard) return Effect.void
      said.isTold = true
      return said.tell
    })
  }

  /** The body is no Effect: from now on, and in what it said already, saying is telling. */
  hearBy(run: (tell: Effect.Effect<void>) => void): void {
    this.#isHeard = true
    this.#hear = (said) => {
      if (!said.isTold) run(said.tell)
      said.isTold = true
    }
    this.#unheard.splice(0).forEach(this.#hear)
  }

  /** The body is an Effect, and runs what it says itself. */
  hearNothing(): void {
    this.#hear = () => undefined
    this.#unheard = []
  }

  get key(): string {
    return this.#call.key
  }

  again(again: Again): Effect.Effect<void> {
    return this.#call.again?.(again) ?? Effect.void
  }

  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal
    this.#controller ??= new AbortController()
    this.#signal = AbortSignal.any([this.#call.signal, this.#controller.signal])
    return this.#signal
  }

  get lingering(): Set<Promise<unknown>> | undefined {
    return this.#call.lingering
  }

  abort(reason: DOMException): void {
    this.#controller ??= new AbortController()
    this.#controller.abort(reason)
  }

  /** The call is over, and its body is not. */
  linger(running: Promise<unknown>): void {
    const { lingering } = this
    lingering?.add(running)
    void running.then(() => lingering?.delete(running))
  }
}
