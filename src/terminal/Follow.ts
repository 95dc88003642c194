/**
 * Show on stderr what an agent does, while it does it.
 *
 * In:  a session, its agent, a timeline, and who hides the secrets.      Out: text on stderr, for as long as the scope is open.
 * Not here: how the text looks (`Timeline.ts`).
 */
import { Effect, type Scope, Stream } from "effect"
import type { Agent } from "../loop/Agent.ts"
import type { Redactor } from "../redaction/Redactor.ts"
import type { Session } from "../session/Session.ts"
import { writeNote } from "./Streams.ts"
import type { Timeline } from "./Timeline.ts"

export const follow = (
  session: Session,
  agent: Agent<unknown>,
  timeline: Timeline,
  redactor: Redactor,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    session.subscribe((event) => {
      const rest = redactor.rest(event)
      if (rest !== undefined) writeNote(timeline.render(rest))
      writeNote(timeline.render(redactor.event(event)))
    })
    const reports = Stream.runForEach(agent.progress, (progress) =>
      Effect.sync(() => writeNote(timeline.report(progress))),
    )
    yield* Effect.forkScoped(reports, { startImmediately: true })
  })
