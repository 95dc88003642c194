/**
 * A session as lines that a person reads, one event at a time.
 *
 * In:  events in seq order, live or from a log.      Out: text to write, whole lines unless deltas are streamed.
 * Not here: where the text goes (the commands), whether the log is lawful (`check.ts`).
 */
import type { Progress } from "../call/Progress.ts"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { Content } from "../message/Content.ts"
import * as Content_ from "../message/Content.ts"
import { count } from "../text/Excerpt.ts"
import { inline, type Paint, printable } from "./Paint.ts"

export interface Timeline {
  /** The text for one event; often empty. */
  readonly render: (event: SessionEvent) => string
  /** The line for what a body says. */
  readonly report: (progress: Progress) => string
}

export interface Options {
  readonly paint: Paint
  /** Write text as its deltas arrive instead of when the message is whole. */
  readonly streaming: boolean
  /** Lines of one tool result that are shown. */
  readonly resultLines?: number
}

interface State {
  readonly options: Options
  readonly names: Map<string, string>
  tokens: number
  steps: number
  calls: number
  failed: number
  /** The block whose deltas are on the current line, when streaming. */
  openBlock: string | undefined
}

const indent = "  "
const gutter = "         "
const maxArguments = 160

const clip = (text: string, length: number): string => {
  // A code point has at most two units, so no more than this is looked at, however long the text is.
  const points = Array.from(text.slice(0, 2 * length + 2))
  return points.length <= length ? text : `${points.slice(0, length).join("")}…`
}

const firstLine = (text: string): string => inline(clip(text.trim().split("\n", 1).join(""), 200))

const label = (paint: (text: string) => string, word: string, text: string): string =>
  `${indent}${paint(word.padEnd(gutter.length - indent.length))}${text}\n`

const body = (text: string): string => printable(text).replaceAll("\n", `\n${gutter}`)

const cut = (state: State, content: Content): string => {
  const limit = state.options.resultLines ?? 4
  const lines = Content_.toText(content).trimEnd().split("\n")
  const more = lines.length - limit
  const shown = lines.slice(0, more > 1 ? limit : lines.length).map((line) => clip(line, 200))
  return body([...shown, ...(more > 1 ? [`… ${more} more lines`] : [])].join("\n"))
}

const heading = (state: State, event: Payload<"turn/start">): string => {
  state.tokens = state.steps = state.calls = state.failed = 0
  const { bold, dim } = state.options.paint
  return `\n${bold(`turn ${event.turn}`)} ${dim("─".repeat(60))}\n`
}

const spoken = (state: State, content: Payload<"assistant/message">["content"]): string => {
  const { paint, streaming } = state.options
  return content
    .map((block) => {
      if (block.type === "tool-call") state.names.set(block.callId, block.name)
      if (block.type === "tool-call" || streaming || block.text.trim() === "") return ""
      return block.type === "text"
        ? label(paint.cyan, "model", body(block.text.trim()))
        : label(paint.dim, "thinks", paint.dim(body(block.text.trim())))
    })
    .join("")
}

const called = (state: State, call: Payload<"tool/call">): string => {
  state.calls += 1
  state.names.set(call.callId, call.name)
  const text = `${inline(call.name)} ${state.options.paint.dim(inline(clip(call.arguments, maxArguments)))}`
  return label(state.options.paint.yellow, "call", text)
}

const resulted = (state: State, result: Payload<"tool/result">): string => {
  const { paint } = state.options
  const name = nameOf(state, result.callId)
  if (!result.isError)
    return label(paint.green, "✓ ok", `${name}\n${gutter}${paint.dim(cut(state, result.content))}`)
  state.failed += 1
  const { error } = result
  const code = error === undefined ? "" : ` ${inline(error.name)} ${paint.bold(inline(error.code))}`
  const head = `${name} ${paint.red(result.outcome)}${code}`
  return label(paint.red, "✗", `${head}\n${gutter}${cut(state, result.content)}`)
}

const decided = (state: State, { callId, verdict, by }: Payload<"approval/decided">): string => {
  const { paint } = state.options
  const verb = verdict === "allow" ? paint.green("allowed") : paint.red("denied")
  return label(paint.yellow, "", `${nameOf(state, callId)} ${verb} by ${inline(by)}`)
}

const nameOf = (state: State, callId: string): string => inline(state.names.get(callId) ?? callId)

const ended = (state: State, { turn, reason }: Payload<"turn/end">): string => {
  const { paint } = state.options
  const colour = reason.kind === "completed" ? paint.green : paint.red
  const why = [reason.code, reason.message].filter((part) => part !== undefined).join(": ")
  const sums = [
    count(state.steps, "step"),
    `${count(state.calls, "call")}${state.failed > 0 ? `, ${state.failed} failed` : ""}`,
    ...(state.tokens > 0 ? [count(state.tokens, "token")] : []),
  ].join(" · ")
  return `${colour(`turn ${turn} ${reason.kind}`)}${why === "" ? "" : ` ${inline(why)}`} ${paint.dim(`· ${sums}`)}\n`
}

const streamed = (state: State, { chunk }: Payload<"assistant/chunk">): string => {
  const { paint, streaming } = state.options
  if (!streaming || (chunk.type !== "text-delta" && chunk.type !== "reasoning-delta")) return ""
  const isText = chunk.type === "text-delta"
  const text = isText ? body(chunk.text) : paint.dim(body(chunk.text))
  if (state.openBlock === chunk.block) return text
  const word = (isText ? "model" : "thinks").padEnd(gutter.length - indent.length)
  const start = `${closeLine(state)}${indent}${isText ? paint.cyan(word) : paint.dim(word)}`
  state.openBlock = chunk.block
  return start + text
}

const closeLine = (state: State): string => {
  if (state.openBlock === undefined) return ""
  state.openBlock = undefined
  return "\n"
}

const render = (state: State, event: SessionEvent): string => {
  const { paint } = state.options
  switch (event.type) {
    case "user/message":
      return label(paint.bold, "you", body(Content_.toText(event.data.content)))
    case "steering/message":
      return label(paint.bold, "steer", body(Content_.toText(event.data.content)))
    case "context/message":
      return label(
        paint.dim,
        "context",
        `${inline(event.data.source)} ${paint.dim(cut(state, event.data.content))}`,
      )
    case "turn/start":
      return heading(state, event.data)
    case "turn/abort":
      return label(paint.red, "abort", inline(event.data.reason))
    case "step/start":
      state.steps += 1
      return `${indent}${paint.dim(`step ${event.data.step}`)}\n`
    case "usage":
      state.tokens += Object.values(event.data.usage).reduce((sum, tokens) => sum + (tokens ?? 0), 0)
      return ""
    case "assistant/message":
      return spoken(state, event.data.content)
    case "approval/asked":
      return label(paint.yellow, "asks", nameOf(state, event.data.callId))
    case "approval/decided":
      return decided(state, event.data)
    case "tool/call":
      return called(state, event.data)
    case "tool/result":
      return resulted(state, event.data)
    case "error":
      return label(
        paint.red,
        "error",
        `${inline(event.data.name)} ${paint.bold(inline(event.data.code))} ${inline(event.data.message)}`,
      )
    case "turn/end":
      return ended(state, event.data)
    default:
      return ""
  }
}

/** One timeline a session; it remembers names of calls and sums of the open turn. */
export const make = (options: Options): Timeline => {
  const state: State = {
    options,
    names: new Map(),
    tokens: 0,
    steps: 0,
    calls: 0,
    failed: 0,
    openBlock: undefined,
  }
  return {
    render: (event) => {
      if (event.type === "assistant/chunk") return streamed(state, event.data)
      const text = render(state, event)
      return text === "" ? "" : closeLine(state) + text
    },
    report: ({ tool, text }) =>
      closeLine(state) +
      label(options.paint.dim, "…", `${inline(tool)} ${options.paint.dim(firstLine(text))}`),
  }
}
