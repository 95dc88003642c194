/**
 * Turn a request into a provider's prompt.
 *
 * In:  a `ModelRequest`, the provider's name, and how its interface writes an image.      Out: messages for `doStream`.
 * Order: reasoning and `meta` go back only to the provider that made them; everything else goes to everyone.
 * Not here: how a provider writes the prompt on its wire.
 *
 * Some things are said differently on a wire than in the log, because a provider would refuse them in every later request:
 * - Arguments must be an object there. Text that is no JSON object (or nests deeper than a wire bears) is sent as
 *   `{"_raw": text}`, so that the model sees what it wrote, and nothing is encoded twice. Empty text is `{}`.
 * - Some wires cannot say that a result is an error: its text begins with `Error:`.
 * - Half of a surrogate pair becomes U+FFFD: strict parsers refuse the whole request otherwise.
 * - Blank text is left out, and content without any other becomes a word that says so.
 * - The name of a tool that the model made up loses what no name may have.
 * - An image that is nowhere becomes a text that says so.
 */
import type { Schema } from "effect"
import type { AssistantContent, Content, ImageBlock, Meta, ToolResultBlock } from "../message/Content.ts"
import type { Message } from "../message/Message.ts"
import type { ModelRequest } from "./Model.ts"

type Json = Schema.Json
type JsonObject = { [key: string]: Json }
type ProviderOptions = Record<string, JsonObject>

interface Text {
  type: "text"
  text: string
}

interface AssistantText extends Text {
  providerOptions?: ProviderOptions
}

interface Reasoning {
  type: "reasoning"
  text: string
  providerOptions?: ProviderOptions
}

interface Call {
  type: "tool-call"
  toolCallId: string
  toolName: string
  input: JsonObject
  providerOptions?: ProviderOptions
}

type Output<ResultImage> =
  | { type: "text" | "error-text"; value: string }
  | { type: "content"; value: Array<Text | ResultImage> }

interface Result<ResultImage> {
  type: "tool-result"
  toolCallId: string
  toolName: string
  output: Output<ResultImage>
}

export type PromptMessage<Image, ResultImage> =
  | { role: "system"; content: string }
  | { role: "user"; content: Array<Text | Image> }
  | { role: "assistant"; content: Array<AssistantText | Reasoning | Call> }
  | { role: "tool"; content: Array<Result<ResultImage>> }

/** How a version of the provider interface writes an image, in a message and in a result. */
export interface Images<Image, ResultImage> {
  readonly inMessage: (image: ImageBlock) => Image
  readonly inResult: (image: ImageBlock) => ResultImage
}

/** Units: levels of nesting. */
const deepest = 64

export const toPrompt = <Image, ResultImage>(
  request: ModelRequest,
  provider: string,
  images: Images<Image, ResultImage>,
): Array<PromptMessage<Image, ResultImage>> => [
  ...(request.system?.trim() ? [{ role: "system" as const, content: wellFormed(request.system) }] : []),
  ...request.messages.flatMap((message) => toMessage(message, provider, images)),
]

const toMessage = <Image, ResultImage>(
  message: Message,
  provider: string,
  images: Images<Image, ResultImage>,
): ReadonlyArray<PromptMessage<Image, ResultImage>> => {
  if (message.role === "user")
    return [{ role: "user", content: toContent(message.content, images.inMessage) }]
  if (message.role === "tool") {
    return [{ role: "tool", content: message.content.map((result) => toResult(result, images.inResult)) }]
  }
  const content = message.content.flatMap((block) => toPart(block, provider))
  return content.length > 0 ? [{ role: "assistant", content }] : []
}

const toContent = <Image>(content: Content, toImage: (image: ImageBlock) => Image): Array<Text | Image> => {
  const parts = content.flatMap((block): ReadonlyArray<Text | Image> => {
    if (block.type === "text") return isBlank(block.text) ? [] : [toText(block.text)]
    return [
      isSomewhere(block) ? toImage(block) : toText("(an image was here, without data and without a url)"),
    ]
  })
  return parts.length === 0 ? [toText(nothing)] : parts
}

const nothing = "(empty)"

const isBlank = (text: string): boolean => text.trim() === ""

/** Logs of earlier versions may hold images that are nowhere. */
const isSomewhere = ({ data = "", url = "" }: ImageBlock): boolean => data !== "" || URL.canParse(url)

/** Source: what all providers take as the name of a tool, see `tool/checked.ts`; a model may call one by any text. */
const toName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed"

const toText = (text: string): Text => ({ type: "text", text: wellFormed(text) })

const toPart = (
  block: AssistantContent[number],
  provider: string,
): ReadonlyArray<AssistantText | Reasoning | Call> => {
  const own = block.meta?.[provider]
  const options = isProviderOptions(own) && Object.keys(own).length > 0 ? { providerOptions: own } : {}
  if (block.type === "tool-call") {
    const input = toObject(block.arguments)
    return [{ type: "tool-call", toolCallId: block.callId, toolName: toName(block.name), input, ...options }]
  }
  if (block.type === "reasoning") {
    return own === undefined ? [] : [{ type: "reasoning", text: wellFormed(block.text), ...options }]
  }
  return isBlank(block.text) ? [] : [{ ...toText(block.text), ...options }]
}

const toResult = <ResultImage>(
  result: ToolResultBlock,
  toImage: (image: ImageBlock) => ResultImage,
): Result<ResultImage> => ({
  type: "tool-result",
  toolCallId: result.callId,
  toolName: toName(result.name),
  output: toOutput(result, toImage),
})

const toOutput = <ResultImage>(
  { content, isError }: ToolResultBlock,
  toImage: (image: ImageBlock) => ResultImage,
): Output<ResultImage> => {
  const texts = content.flatMap((block) => (block.type === "text" ? [wellFormed(block.text)] : []))
  const spoken = texts.join("\n")
  const isSaid = !isError || /^error\b/i.test(spoken)
  if (texts.length === content.length) {
    const said = isBlank(spoken) ? nothing : spoken
    return { type: isError ? "error-text" : "text", value: isSaid ? said : `Error: ${said}` }
  }
  const value = toContent(content, toImage)
  return { type: "content", value: isSaid ? value : [{ type: "text", text: "Error:" }, ...value] }
}

const toObject = (text: string): JsonObject => {
  if (text.trim() === "") return {}
  try {
    const parsed: Json = JSON.parse(text)
    const clean = mapStrings(parsed, 0)
    if (isObject(clean)) return clean
  } catch {
    // Neither broken nor too deep text is lost: it goes as text.
  }
  return { _raw: wellFormed(text) }
}

const mapStrings = (value: Json, depth: number): Json => {
  if (depth > deepest) throw new RangeError("nested too deeply for a wire")
  if (typeof value === "string") return wellFormed(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((member: Json) => mapStrings(member, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [wellFormed(key), mapStrings(member, depth + 1)]),
  )
}

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isProviderOptions = (value: Meta[string] | undefined): value is ProviderOptions =>
  isObject(value) && Object.values(value).every(isObject)
