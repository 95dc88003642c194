/**
 * Wrap what is no prompt, so that a model can tell it from one.
 *
 * In:  a tag, attributes, content.      Out: the content between `<tag …>` and `</tag>`, which it cannot open or close itself.
 */
import type { Content } from "../message/Content.ts"

export type EnvelopeTag = "steering" | "context" | "compacted"

const tagInText = /<(?=\s*\/?\s*(?:steering|context|compacted)\b)/gi

const escapeText = (text: string): string => text.replace(tagInText, "&lt;")

const escapeAttribute = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\s+/g, " ")

/** Neighbouring texts are joined before they are escaped, so that no tag can be put together from pieces. */
export const envelope = (
  tag: EnvelopeTag,
  attributes: { readonly [name: string]: string },
  content: Content,
): Content => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const open = `<${tag}${written.join("")}>`
  const close = `</${tag}>`
  const pieces = joinTexts(content)
  if (pieces.every((piece) => piece.type === "text")) {
    return [{ type: "text", text: [open, ...pieces.map((piece) => piece.text), close].join("\n") }]
  }
  return [{ type: "text", text: open }, ...pieces, { type: "text", text: close }]
}

/** Runs of text become one escaped block each; other blocks stay as they are. */
const joinTexts = (content: Content): Content => {
  const pieces: Array<Content[number]> = []
  let texts: Array<string> = []
  const flush = () => {
    if (texts.length > 0) pieces.push({ type: "text", text: escapeText(texts.join("\n")) })
    texts = []
  }
  for (const block of content) {
    if (block.type === "text") {
      texts.push(block.text)
    } else {
      flush()
      pieces.push(block)
    }
  }
  flush()
  return pieces
}
