/**
 * An example for every rule over stored logs.
 *
 * Not here: the rules that need the running process (`liveExamples.ts`), thorough mutants (`mutant/`).
 */
import * as Ancestry from "../contract/Ancestry.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Example } from "./Example.ts"
import * as tell from "./tell.ts"

const { start, prompt, turn, step, endStep, endTurn, called, answered, asked, inTurn, inStepOne } = tell

const bad = (draft: object, data: object): SessionEvent => Object({ ...draft, data })

const readAndEnd = [...asked("c1"), called("c1"), answered("c1"), endStep(1)]
const readStep = inStepOne(...readAndEnd)
const question = {
  type: "approval/asked",
  data: { turn: 1, step: 1, callId: "c1", digest: "d1", expiresAt: 1_800_000_000_000 },
} as const
const yes = {
  type: "approval/decided",
  data: { callId: "c1", digest: "d1", verdict: "allow", by: "ann" },
} as const
const keyed = called("c1", { key: "k1" })
const compacted = (to: number) =>
  ({
    type: "history/compacted",
    data: { from: 1, to, content: [{ type: "text", text: "earlier" }] },
  }) as const

/** A step whose request names the event of a seq as its configuration. Seq 1 is one, seq 2 a message. */
const requested = (config: number) =>
  tell.log(
    start,
    { type: "request/config", data: { model: "example", parameters: {}, tools: [] } },
    prompt("m1"),
    turn(1, "m1"),
    {
      type: "step/start",
      data: { turn: 1, step: 1, claims: [], request: { config, digest: "of the request" } },
    },
  )

const logGroup = {
  "log.start": {
    what: "the first event is a message",
    lawful: tell.log(start, prompt("m1")),
    unlawful: tell.log(prompt("m1")),
  },
  "log.seq": {
    what: "seq 1 is missing",
    lawful: tell.log(start, prompt("m1"), prompt("m2")),
    unlawful: tell.log(start, prompt("m1"), prompt("m2")).filter(({ seq }) => seq !== 1),
  },
  "log.version": {
    what: "the message has a key that no message of version 1 has, and lacks three",
    lawful: tell.log(start, prompt("m1")),
    unlawful: [
      ...tell.log(start),
      bad({ seq: 1, at: 1_700_000_000_001, type: "user/message" }, { text: "Hello." }),
    ],
  },
  "log.lossless": {
    what: "the score is NaN, which JSON writes as null",
    lawful: tell.log(start, { type: "acme:score", data: { score: 1 } }),
    unlawful: tell.log(start, { type: "acme:score", data: { score: Number.NaN } }),
  },
  "log.epoch": {
    what: "two processes resumed under one epoch",
    lawful: tell.log(start, tell.resume(1), tell.resume(2)),
    unlawful: tell.log(start, tell.resume(1), tell.resume(1)),
  },
} satisfies Group

const turnGroup = {
  "turn.nests": {
    what: "turn 2 starts while turn 1 is open",
    lawful: inTurn(endTurn(1, "interrupted"), prompt("m2"), turn(2, "m2")),
    unlawful: inTurn(prompt("m2"), turn(2, "m2")),
  },
  "turn.counts": {
    what: "the first turn is number 2",
    lawful: tell.log(start, prompt("m1"), turn(1, "m1")),
    unlawful: tell.log(start, prompt("m1"), turn(2, "m1")),
  },
  "turn.closedIsClosed": {
    what: "turn 1 ends twice",
    lawful: inTurn(endTurn(1, "interrupted")),
    unlawful: inTurn(endTurn(1, "interrupted"), endTurn(1, "interrupted")),
  },
  "turn.abortWins": {
    what: "an abort was accepted, and the turn ends as completed",
    lawful: inTurn(tell.abort(1), endTurn(1, "aborted")),
    unlawful: inTurn(tell.abort(1), endTurn(1, "completed")),
  },
  "turn.reasonCode": {
    what: "the turn failed, and nobody can tell why",
    lawful: inTurn(endTurn(1, "failed", "MODEL_OVERLOADED")),
    unlawful: inTurn(endTurn(1, "failed")),
  },
} satisfies Group

const stepGroup = {
  "step.nests": {
    what: "step 2 starts while step 1 is open",
    lawful: inStepOne(endStep(1), step(2)),
    unlawful: inStepOne(step(2)),
  },
  "step.counts": {
    what: "the first step is number 2",
    lawful: inTurn(step(1)),
    unlawful: inTurn(step(2)),
  },
  "step.names": {
    what: "the end names step 2 while step 1 is open",
    lawful: inStepOne(endStep(1)),
    unlawful: inStepOne(endStep(2)),
  },
  "step.phase": {
    what: "the usage comes after the message",
    lawful: inStepOne(...tell.streamed("Hi."), tell.usage, tell.said("Hi."), endStep(1)),
    unlawful: inStepOne(...tell.streamed("Hi."), tell.said("Hi."), tell.usage, endStep(1)),
  },
  "step.usageOnce": {
    what: "the usage is told twice",
    lawful: inStepOne(tell.usage, endStep(1)),
    unlawful: inStepOne(tell.usage, tell.usage, endStep(1)),
  },
  "step.noEmptyRetry": {
    what: "a step that a crash has broken goes on streaming",
    lawful: inStepOne(...tell.streamed("Hi."), tell.resume(1), endStep(1), step(2)),
    unlawful: inStepOne(
      ...tell.streamed("Hi.").slice(0, 2),
      tell.resume(1),
      ...tell.streamed("Hi.").slice(2),
    ),
  },
  "step.request": {
    what: "the request names seq 2, which is a message",
    lawful: requested(1),
    unlawful: requested(2),
  },
} satisfies Group

const chunkGroup = {
  "chunk.grammar": {
    what: "a block grows that never started",
    lawful: inStepOne(...tell.streamed("Hi.")),
    unlawful: inStepOne(tell.chunk({ type: "text-delta", block: "b0", text: "Hi." })),
  },
  "chunk.assembles": {
    what: "the message says more than its chunks",
    lawful: inStepOne(...tell.streamed("Hi."), tell.said("Hi.")),
    unlawful: inStepOne(...tell.streamed("Hi."), tell.said("Hi. How are you?")),
  },
} satisfies Group

const callGroup = {
  "call.unique": {
    what: "one call starts twice",
    lawful: inStepOne(...asked("c1"), called("c1")),
    unlawful: inStepOne(...asked("c1"), called("c1"), called("c1")),
  },
  "call.fromMessage": {
    what: "the call has other arguments than the model wrote",
    lawful: inStepOne(...asked("c1"), called("c1")),
    unlawful: inStepOne(...asked("c1"), called("c1", { arguments: '{"path":"/"}' })),
  },
  "call.partialNeverRuns": {
    what: "a call runs out of a message that was cut off at the limit of tokens",
    lawful: inStepOne(
      ...asked("c1", "max-tokens"),
      called("c1", { starts: false }),
      answered("c1", tell.refused),
    ),
    unlawful: inStepOne(...asked("c1", "max-tokens"), called("c1")),
  },
  "result.paired": {
    what: "one call is answered twice",
    lawful: inStepOne(...asked("c1"), called("c1"), answered("c1")),
    unlawful: inStepOne(...asked("c1"), called("c1"), answered("c1"), answered("c1")),
  },
  "result.allAtStepEnd": {
    what: "the step ends, and the call has no result",
    lawful: readStep,
    unlawful: inStepOne(...asked("c1"), called("c1"), endStep(1)),
  },
  "result.outcomeShape": {
    what: "the outcome is success, and the model is told of an error",
    lawful: inStepOne(...asked("c1"), called("c1"), answered("c1")),
    unlawful: inStepOne(...asked("c1"), called("c1"), answered("c1", { isError: true })),
  },
  "result.startsFalse": {
    what: "a call whose arguments were refused is logged as if it had started",
    lawful: inStepOne(...asked("c1"), called("c1", { starts: false }), answered("c1", tell.refused)),
    unlawful: inStepOne(...asked("c1"), called("c1"), answered("c1", tell.refused)),
  },
  "approval.single": {
    what: "the question is decided with another digest than it was asked",
    lawful: inStepOne(...asked("c1"), question, yes, called("c1")),
    unlawful: inStepOne(...asked("c1"), question, { ...yes, data: { ...yes.data, digest: "d2" } }),
  },
  "rerun.allowed": {
    what: "a call without a key is run again",
    lawful: inStepOne(...asked("c1"), keyed, tell.resume(1, "c1")),
    unlawful: inStepOne(...asked("c1"), called("c1"), tell.resume(1, "c1")),
  },
} satisfies Group

const inboxGroup = {
  "inbox.unique": {
    what: "a message is accepted twice",
    lawful: tell.log(start, prompt("m1"), prompt("m2")),
    unlawful: tell.log(start, prompt("m1"), prompt("m1")),
  },
  "inbox.conserves": {
    what: "a message that turn 1 has claimed is cancelled",
    lawful: inTurn(prompt("m2"), tell.cancel("m2")),
    unlawful: inTurn(tell.cancel("m1")),
  },
  "inbox.order": {
    what: "the turn passes over the first message",
    lawful: tell.log(start, prompt("m1"), prompt("m2"), turn(1, "m1")),
    unlawful: tell.log(start, prompt("m1"), prompt("m2"), turn(1, "m2")),
  },
  "inbox.noForgottenSteer": {
    what: "the turn is completed, and what the user said meanwhile was never read",
    lawful: inStepOne(tell.steer("m2"), endStep(1), step(2, "m2"), endStep(2), endTurn(1, "completed")),
    unlawful: inStepOne(tell.steer("m2"), endStep(1), endTurn(1, "completed")),
  },
} satisfies Group

const parent = tell.log(start, prompt("m1"))
const child = (messageId: string) =>
  tell.log(
    {
      type: "session/start",
      data: {
        version: 1,
        id: "child",
        createdAt: 1_700_000_000_000,
        parent: { id: "example", seq: 1, digest: Ancestry.digest(parent, 1) },
      },
    },
    prompt(messageId),
  )

const historyGroup = {
  "compact.range": {
    what: "the compaction ends between a call and its result",
    lawful: inStepOne(...readAndEnd, compacted(10)),
    unlawful: inStepOne(...readAndEnd, compacted(8)),
  },
  "history.paired": {
    what: "the model is asked again, and its call was never answered",
    lawful: inStepOne(...readAndEnd, step(2)),
    unlawful: inStepOne(...asked("c1"), called("c1"), endStep(1), step(2)),
    also: ["result.allAtStepEnd"],
  },
  "fork.prefix": {
    what: "the fork begins with another message than its parent",
    lawful: child("m1"),
    unlawful: child("m2"),
  },
} satisfies Group

interface Group {
  readonly [rule: string]: Example<SessionEvent>
}

export const logExamples: Group = {
  ...logGroup,
  ...turnGroup,
  ...stepGroup,
  ...chunkGroup,
  ...callGroup,
  ...inboxGroup,
  ...historyGroup,
}
