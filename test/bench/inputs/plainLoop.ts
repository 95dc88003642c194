/**
 * The loop that anybody could write on one page: the floor of an agent.
 *
 * Shape: an async generator as the model, `JSON.parse` and a check by hand for each call, tools awaited, messages pushed.
 * Not here: a log, cancellation, limits, errors.
 */
import type { OnStep } from "./growth.ts"
import { isSmall } from "./hand.ts"
import { callsOf, lastWords, output, pieces, question, type ScriptedCall } from "./script.ts"

type Piece = { readonly text: string } | { readonly call: ScriptedCall }

export interface Message {
  readonly role: "user" | "assistant" | "tool"
  readonly content: ReadonlyArray<unknown>
}

// biome-ignore lint: a generator that awaits nothing is the point
async function* speak(step: number, steps: number): AsyncGenerator<Piece> {
  if (step > steps) yield { text: lastWords }
  else {
    for (const text of pieces) yield { text }
    for (const call of callsOf(step)) yield { call }
  }
}

const tool = async (name: string, args: Parameters<typeof output>[1]) => output(name, args)

const answer = async (call: ScriptedCall) => {
  const args: unknown = JSON.parse(call.arguments)
  if (!isSmall(args)) throw new Error("refused")
  return { id: call.id, text: await tool(call.name, args) }
}

/** Run until the model makes no call; gives the messages. */
export const plainLoop = async (steps: number, onStep: OnStep = () => {}) => {
  const messages: Array<Message> = [{ role: "user", content: [question] }]
  for (let step = 1; ; step++) {
    const wait = onStep(step)
    if (wait !== undefined) await wait
    const calls: Array<ScriptedCall> = []
    let text = ""
    for await (const piece of speak(step, steps)) {
      if ("text" in piece) text += piece.text
      else calls.push(piece.call)
    }
    messages.push({ role: "assistant", content: [text, ...calls] })
    if (calls.length === 0) return messages
    messages.push({ role: "tool", content: await Promise.all(calls.map(answer)) })
  }
}
