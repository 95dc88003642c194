/**
 * The rules about what may start, and start again: approval.single, rerun.allowed.
 */
import { HashMap, Option } from "effect"
import type { Payload } from "../event/SessionEvent.ts"
import { maxReruns } from "./Reruns.ts"
import { Broken, make } from "./Rule.ts"

interface Approval {
  readonly digest: string
  readonly expiresAt: number
  readonly verdict?: "allow" | "deny"
}

export const approvalSingle = make({
  id: "approval.single",
  statement:
    "A question is decided once, with its own digest, and asked again only when its yes expired; an asked call starts only when allowed.",
  mode: "A",
  hint: "Decide with the digest that was asked; ask again when the arguments are decoded to something else.",
  on: ["approval/asked", "approval/decided", "tool/call"],
  initial: HashMap.empty<string, Approval>(),
  step: (asked, event) => {
    if (event.type === "approval/asked") return ask(asked, event.data, event.at)
    if (event.type === "approval/decided") return decide(asked, event.data)
    const approval = Option.getOrUndefined(HashMap.get(asked, event.data.callId))
    if (approval === undefined) return asked
    const used = HashMap.remove(asked, event.data.callId)
    if (event.data.starts === false || approval.verdict === "allow") return used
    return new Broken(used, [
      `${event.data.callId} starts although its approval is ${approval.verdict ?? "open"}`,
    ])
  },
})

type Asked = HashMap.HashMap<string, Approval>

/** Another question than before, or the same one once its yes counts no more. */
const ask = (asked: Asked, { callId, digest, expiresAt }: Payload<"approval/asked">, at: number) => {
  const before = Option.getOrUndefined(HashMap.get(asked, callId))
  const isOpen = before?.verdict === undefined || before.digest !== digest
  if (isOpen || (before.verdict === "allow" && at >= before.expiresAt))
    return HashMap.set(asked, callId, { digest, expiresAt })
  return new Broken(asked, [`${callId} is asked again after its decision`])
}

const decide = (asked: Asked, { callId, digest, verdict }: Payload<"approval/decided">) => {
  const open = Option.getOrUndefined(HashMap.get(asked, callId))
  if (open === undefined) return new Broken(asked, [`${callId} is decided but was not asked`])
  if (open.verdict !== undefined) return new Broken(asked, [`${callId} is decided twice`])
  if (open.digest !== digest)
    return new Broken(asked, [`${callId} is decided with another digest than it was asked`])
  return HashMap.set(asked, callId, { ...open, verdict })
}

interface Running {
  readonly hasKey: boolean
  readonly reruns: number
}

export const rerunAllowed = make({
  id: "rerun.allowed",
  statement: `A call is run again only while it is running, under its key, and at most ${maxReruns} times.`,
  mode: "A",
  hint: "A call without a key, or past the limit, is answered with outcome-unknown.",
  on: ["tool/call", "tool/result", "session/resume"],
  initial: HashMap.empty<string, Running>(),
  step: (running, event) => {
    if (event.type === "tool/call") {
      return HashMap.set(running, event.data.callId, { hasKey: event.data.key !== undefined, reruns: 0 })
    }
    if (event.type === "tool/result") return HashMap.remove(running, event.data.callId)
    return event.data.reruns.length === 0 ? running : rerun(running, event.data.reruns)
  },
})

const rerun = (before: HashMap.HashMap<string, Running>, callIds: ReadonlyArray<string>) => {
  let running = before
  const broken: Array<string> = []
  for (const callId of callIds) {
    const call = Option.getOrUndefined(HashMap.get(running, callId))
    if (call === undefined) broken.push(`${callId} is to run again but is not running`)
    else if (!call.hasKey) broken.push(`${callId} is to run again but has no key`)
    else if (call.reruns >= maxReruns) broken.push(`${callId} is to run again after ${maxReruns} re-runs`)
    else running = HashMap.set(running, callId, { ...call, reruns: call.reruns + 1 })
  }
  return broken.length === 0 ? running : new Broken(running, broken)
}
