/**
 * The rules about ids that come once: call.unique, inbox.unique.
 */
import { type Known, nothing } from "./known.ts"
import { Broken, make } from "./Rule.ts"

/** Add ids one by one; those that were there already are what is broken. */
const addNew = (known: Known, added: ReadonlyArray<string>, what: string) => {
  let all = known
  const broken: Array<string> = []
  for (const id of added) {
    if (all.has(id)) broken.push(`${what} ${JSON.stringify(id)} comes twice`)
    else all = all.with(id)
  }
  return { all, broken }
}

export const callUnique = make({
  id: "call.unique",
  statement: "A call id is used by one block of one message in the session, and started once.",
  mode: "A",
  hint: "Rename ids that the provider repeats before they are logged; never append a second tool/call.",
  on: ["assistant/message", "tool/call"],
  initial: { named: nothing, started: nothing },
  step: (state, event) => {
    if (event.type === "assistant/message") {
      const calls = event.data.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
      if (calls.length === 0) return state
      const { all, broken } = addNew(state.named, calls, "call id")
      const next = { named: all, started: state.started }
      return broken.length === 0 ? next : new Broken(next, broken)
    }
    const { all, broken } = addNew(state.started, [event.data.callId], "the tool/call of")
    const next = { named: state.named, started: all }
    return broken.length === 0 ? next : new Broken(next, broken)
  },
})

export const inboxUnique = make({
  id: "inbox.unique",
  statement: "A message id is used once in the session.",
  mode: "A",
  hint: "A repeated send of the same id is a duplicate: look it up instead of logging it again.",
  on: ["user/message", "steering/message", "context/message"],
  initial: nothing,
  step: (known, event) => {
    const { all, broken } = addNew(known, [event.data.messageId], "message id")
    return broken.length === 0 ? all : new Broken(all, broken)
  },
})
