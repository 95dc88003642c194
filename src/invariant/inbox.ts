/**
 * The rules of the group inbox: no message is lost, doubled, or read out of order.
 *
 * In:  nothing.      Out: `rules`.
 * Not here: message ids new in the session (`contract/`, always on).
 */
import { HashSet } from "effect"
import { Broken, make, type Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"

type Kind = "user" | "steering" | "context"

interface Waiting {
  readonly messageId: string
  readonly kind: Kind
}

type Pending = ReadonlyArray<Waiting>

/** What brings messages or takes them. */
const moves = [
  "user/message",
  "steering/message",
  "context/message",
  "message/cancelled",
  "turn/start",
  "step/start",
] as const

type Told = (typeof moves)[number]

const conserves = make({
  id: "inbox.conserves",
  statement: "A message is claimed or cancelled at most once, and only after it was accepted.",
  hint: "Claim from the session's pending list, in the same synchronous step that writes the claim.",
  on: moves,
  initial: HashSet.empty<string>(),
  step: (pending, event) => {
    const arrived = arrival(event)
    if (arrived) return HashSet.add(pending, arrived.messageId)
    let left = pending
    const messages: Array<string> = []
    for (const messageId of taken(event)) {
      if (!HashSet.has(left, messageId))
        messages.push(`${event.type} takes ${messageId}, which is not pending`)
      left = HashSet.remove(left, messageId)
    }
    return messages.length === 0 ? left : new Broken(left, messages)
  },
})

const order = make<Pending, Told>({
  id: "inbox.order",
  statement:
    "A turn claims the first pending messages, a step all pending steering and context, each in order.",
  hint: "Take pending messages by seq; a turn wants a user message or steering among them, a continuation steering and no user message.",
  on: moves,
  initial: [],
  step: (pending, event) => {
    const arrived = arrival(event)
    if (arrived) return [...pending, arrived]
    const ids = taken(event)
    const known = pending.filter((message) => ids.includes(message.messageId))
    const left = known.length === 0 ? pending : pending.filter((message) => !known.includes(message))
    // Claims of what is not pending are the business of inbox.conserves.
    const claimed = ids.filter(
      (id, at) => ids.indexOf(id) === at && known.some((one) => one.messageId === id),
    )
    const wrong = judge(event, pending, claimed, known)
    return wrong === undefined
      ? left
      : new Broken(left.filter(isNotPassedOver(event, pending, known)), [wrong])
  },
})

const judge = (
  event: SessionEvent,
  pending: Pending,
  claimed: ReadonlyArray<string>,
  known: Pending,
): string | undefined => {
  if (event.type === "step/start") {
    const expected = pending.filter((message) => message.kind !== "user")
    return isSame(claimed, expected)
      ? undefined
      : `step ${event.data.step} claims ${list(claimed)} where ${list(expected.map(idOf))} is pending`
  }
  if (event.type !== "turn/start") return undefined
  const { turn, trigger, claims } = event.data
  if (!isSame(claimed, pending.slice(0, claimed.length))) {
    return `turn ${turn} claims ${list(claimed)} where ${list(pending.map(idOf))} is pending`
  }
  // A claim of something unknown may have been the waking one.
  if (claimed.length < claims.length) return undefined
  if (trigger.kind === "message") {
    return known.some((message) => message.kind !== "context")
      ? undefined
      : `turn ${turn} is triggered by a message, but claims neither a user message nor steering`
  }
  if (known.some((message) => message.kind === "user"))
    return `turn ${turn} is a continuation, but claims a user message`
  return known.some((message) => message.kind === "steering")
    ? undefined
    : `turn ${turn} is a continuation, but claims no steering`
}

/** A message that was passed over is told once, and not missed again at every later claim. */
const isNotPassedOver = (event: SessionEvent, pending: Pending, known: Pending) => {
  const last = known.at(-1)
  const lastAt = last === undefined ? -1 : pending.indexOf(last)
  return (message: Waiting): boolean =>
    event.type === "step/start" ? message.kind === "user" : pending.indexOf(message) > lastAt
}

const noForgottenSteer = make({
  id: "inbox.noForgottenSteer",
  statement: "A turn that ends as completed leaves no steering pending.",
  hint: "Ask whether the inbox is empty in the same synchronous step that writes turn/end; else go on with a step.",
  on: [...moves, "turn/end"],
  initial: HashSet.empty<string>(),
  step: (steering, event) => {
    const arrived = arrival(event)
    if (arrived) return arrived.kind === "steering" ? HashSet.add(steering, arrived.messageId) : steering
    if (event.type === "turn/end" && event.data.reason.kind === "completed" && !HashSet.isEmpty(steering)) {
      const left = list([...steering].sort())
      return new Broken(HashSet.empty(), [
        `turn ${event.data.turn} ends as completed while ${left} is pending`,
      ])
    }
    return taken(event).reduce((left, messageId) => HashSet.remove(left, messageId), steering)
  },
})

const arrival = (event: SessionEvent): Waiting | undefined => {
  switch (event.type) {
    case "user/message":
      return { messageId: event.data.messageId, kind: "user" }
    case "steering/message":
      return { messageId: event.data.messageId, kind: "steering" }
    case "context/message":
      return { messageId: event.data.messageId, kind: "context" }
    default:
      return undefined
  }
}

const nothing: ReadonlyArray<string> = []

const taken = (event: SessionEvent): ReadonlyArray<string> => {
  switch (event.type) {
    case "turn/start":
    case "step/start":
      return event.data.claims
    case "message/cancelled":
      return event.data.messageIds
    default:
      return nothing
  }
}

const idOf = (message: Waiting): string => message.messageId

const isSame = (ids: ReadonlyArray<string>, messages: Pending): boolean =>
  ids.length === messages.length && messages.every((message, at) => message.messageId === ids[at])

const list = (ids: ReadonlyArray<string>): string => (ids.length === 0 ? "nothing" : ids.join(", "))

export const rules: ReadonlyArray<Rule> = [conserves, order, noForgottenSteer]
