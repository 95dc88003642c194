/**
 * Tools whose bodies begin when the schedule says, and are counted.
 *
 * In:  a toolbox.      Out: the same tools; every body that began, with its call, in all processes of a run.
 * Not here: what the numbers must be (`judge.ts`).
 */
import { Effect, Exit } from "effect"
import type { CallInfo } from "../tool/CallInfo.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import { IsBody, type Machine } from "./machine.ts"
import type { Tell } from "./story.ts"

/** One run of one body. */
export interface Begun {
  readonly process: Machine
  readonly callId: string
  readonly tool: string
  readonly isIdempotent: boolean
  isRunning: boolean
  hasSucceeded: boolean
  /** It was over, and its process had nothing else to do: then the log has its result. */
  isSettled: boolean
}

export const countBodies = (
  toolbox: Toolbox.Toolbox<never>,
  machine: Machine,
  begun: Array<Begun>,
  tell: Tell,
): Toolbox.Toolbox<never> => {
  const count = <A, E>(tool: Toolbox.Entry<never>, { callId }: CallInfo, body: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const run: Begun = {
        process: machine,
        callId,
        tool: tool.name,
        isIdempotent: tool.idempotent,
        isRunning: true,
        hasSucceeded: false,
        isSettled: false,
      }
      begun.push(run)
      tell.say(`the body of ${tool.name} begins (${callId})`)
      const end = (exit: Exit.Exit<A, E>) =>
        Effect.sync(() => {
          run.isRunning = false
          run.hasSucceeded = Exit.isSuccess(exit)
          tell.say(`the body of ${tool.name} ${run.hasSucceeded ? "is done" : "breaks off"} (${callId})`)
        })
      return Effect.onExit(
        Effect.andThen(
          machine.wait(() => Effect.void),
          Effect.provideService(body, IsBody, true),
        ),
        end,
      )
    })
  return Toolbox.map(toolbox, (tool) => ({
    ...tool,
    prepare: (text, lenient) =>
      Effect.map(tool.prepare(text, lenient), (prepared) => ({
        ...prepared,
        body: (call: CallInfo) => count(tool, call, prepared.body(call)),
      })),
  }))
}
