/**
 * The rules about ids that come once: call.unique, inbox.unique.
 */
import { HashSet } from "effect"
import { Broken, make } from "./Rule.ts"

const ids = HashSet.empty<string>()

/** Add ids one by one; those that were there already are what is broken. */
const addNew = (known: HashSet.HashSet<string>, added: ReadonlyArray<string>, what: string) => {
  let all = known
  const broken: Array<string> = []
  for (const id of added) {
    const more = HashSet.add(all, id)
    if (HashSet.size(more) === HashSet.size(all)) broken.push(`${what} ${JSON.stringify(id)} comes twice`)
    all = more
  }
  return { all, broken }
}

export const callUnique = make({
  id: "call.unique",
  statement: "A call id is used by one block of one message in the session, and started once.",
  mode: "A",
  hint: "Rename ids that the provider repeats before they are logged; never append a second tool/call.",
  on: ["assistant/message", "tool/call"],
  initial: { named: ids, started: ids },
  step: (state, event) => {
    if (event.type === "assistant/message") {
      const calls = event.data.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
      if (calls.length === 0) return state
      const { all, broken } = addNew(state.named, calls, "call id")
      const next = { ...state, named: all }
      return broken.length === 0 ? next : new Broken(next, broken)
    }
    const { all, broken } = addNew(state.started, [event.data.callId], "the tool/call of")
    const next = { ...state, started: all }
    return broken.length === 0 ? next : new Broken(next, broken)
  },
})

export const inboxUnique = make({
  id: "inbox.unique",
  statement: "A message id is used once in the session.",
  mode: "A",
  hint: "A repeated send of the same id is a duplicate: look it up instead of logging it again.",
  on: ["user/message", "steering/message", "context/message"],
  initial: ids,
  step: (known, event) => {
    const { all, broken } = addNew(known, [event.data.messageId], "message id")
    return broken.length === 0 ? all : new Broken(all, broken)
  },
})
