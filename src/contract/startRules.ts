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
  readonly callId: string
  readonly hasKey: boolean
  readonly reruns: number
}

/** In a list: the calls that run at one time are a handful, and hashing an id costs more than to compare it with all of them. */
type AllRunning = ReadonlyArray<Running>

export const rerunAllowed = make<AllRunning, "tool/call" | "tool/result" | "session/resume">({
  id: "rerun.allowed",
  statement: `A call is run again only while it is running, under its key, and at most ${maxReruns} times.`,
  mode: "A",
  hint: "A call without a key, or past the limit, is answered with outcome-unknown.",
  on: ["tool/call", "tool/result", "session/resume"],
  initial: [],
  step: (running, event) => {
    if (event.type === "session/resume")
      return event.data.reruns.length === 0 ? running : rerun(running, event.data.reruns)
    const { callId } = event.data
    const others = running.filter((call) => call.callId !== callId)
    if (event.type === "tool/result") return others
    return [...others, { callId, hasKey: event.data.key !== undefined, reruns: 0 }]
  },
})

const rerun = (before: AllRunning, callIds: ReadonlyArray<string>) => {
  let running = before
  const broken: Array<string> = []
  for (const callId of callIds) {
    const call = running.find((one) => one.callId === callId)
    if (call === undefined) broken.push(`${callId} is to run again but is not running`)
    else if (!call.hasKey) broken.push(`${callId} is to run again but has no key`)
    else if (call.reruns >= maxReruns) broken.push(`${callId} is to run again after ${maxReruns} re-runs`)
    else running = running.map((one) => (one === call ? { ...one, reruns: one.reruns + 1 } : one))
  }
  return broken.length === 0 ? running : new Broken(running, broken)
}
