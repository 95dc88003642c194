/**
 * What a body gave, in the form that a result carries.
 *
 * In:  any value, or blocks made with `content`.      Out: `Rendered`: what the model reads, and the JSON itself.
 * Fails with: `ToolOutputInvalid`, with the path of every value that JSON cannot hold.
 * Not here: whole results (`encode.ts`), how a value becomes JSON (`jsonify.ts`).
 */
import { Cause, Effect, Exit, Result, Schema, SchemaIssue } from "effect"
import * as Foreign from "../error/Foreign.ts"
import type { Violation } from "../error/Violation.ts"
import { Content, type TextBlock } from "../message/Content.ts"
import { jsonify, placeOf } from "./jsonify.ts"
import { ToolOutputInvalid } from "./ToolError.ts"

const brand: unique symbol = Symbol.for("effect-harness/tool/Output")

/** Text and images for the model, instead of JSON. */
export interface ContentOutput {
  readonly [brand]: true
  readonly content: Content
}

export interface Rendered {
  readonly content: Content
  /** The output itself, when it is a JSON object or array and was not cut. */
  readonly structured?: Schema.Json
}

/**
 * How much text of one output the model gets; of a longer one the beginning and the end.
 *
 * Units: UTF-16 code units.
 */
export const maxTextLength = 50_000

/** Give the model these blocks as they are. */
export const content = (blocks: Content): ContentOutput => ({ [brand]: true, content: blocks })

/** Tell blocks made with `content` from all else, also from what throws when it is looked at. */
export const isContent = (value: unknown): value is ContentOutput => {
  try {
    return typeof value === "object" && value !== null && Object.hasOwn(value, brand)
  } catch {
    return false
  }
}

/** Render an output: text as it is, `content` as it is, nothing as nothing, all else as JSON. */
export const render = (tool: string, value: unknown): Effect.Effect<Rendered, ToolOutputInvalid> => {
  const json = jsonify(isContent(value) ? value.content : value)
  if (Result.isFailure(json)) return Effect.fail(invalid(tool, json.failure))
  return isContent(value) ? renderBlocks(tool, json.success) : Exit.succeed(renderJson(json.success))
}

/** Encode by the schema's canonical JSON codec, then render. */
export const encodeBy = <S extends Schema.Codec<unknown, unknown, unknown, unknown>>(
  tool: string,
  schema: S,
): ((value: unknown) => Effect.Effect<Rendered, ToolOutputInvalid, S["EncodingServices"]>) => {
  const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(schema), { errors: "all" })
  return (value) => {
    const lost = nonFinite(value)
    if (lost.length > 0) return Effect.fail(invalid(tool, lost))
    const encoded: Effect.Effect<unknown, ToolOutputInvalid, S["EncodingServices"]> = Effect.catchCause(
      Effect.suspend(() => encode(value)),
      (cause) => {
        const error = Cause.findError(cause)
        if (Result.isSuccess(error)) return Effect.fail(invalid(tool, explain(error.success.issue)))
        if (Cause.hasInterrupts(cause)) return Effect.failCause(error.failure)
        return Effect.fail(invalid(tool, [broken(Cause.squash(cause))]))
      },
    )
    return Effect.flatMap(encoded, (json) => render(tool, json))
  }
}

/** Make the error that says at which paths an output is wrong. */
export const invalid = (tool: string, violations: ReadonlyArray<Violation>): ToolOutputInvalid => {
  const message = `The output of ${tool} is not what it must be: ${violations.map((violation) => violation.message).join("; ")}`
  return new ToolOutputInvalid({ message, tool, violations })
}

/** Providers refuse empty text. */
const done: Rendered = { content: [{ type: "text", text: "(done, no output)" }] }

const renderJson = (json: Schema.Json | undefined): Rendered => {
  if (json === undefined || json === "") return done
  const text = typeof json === "string" ? json : JSON.stringify(json)
  if (text.length > maxTextLength) return { content: [{ type: "text", text: cut(text, maxTextLength) }] }
  const content: Content = [{ type: "text", text }]
  return typeof json === "object" && json !== null ? { content, structured: json } : { content }
}

const decodeContent = Schema.decodeUnknownResult(Content)

const renderBlocks = (
  tool: string,
  json: Schema.Json | undefined,
): Effect.Effect<Rendered, ToolOutputInvalid> => {
  const blocks = decodeContent(json)
  if (Result.isFailure(blocks)) {
    const expected = "text and image blocks"
    return Effect.fail(
      invalid(tool, [
        { path: [], expected, got: "others", message: `output: expected ${expected}, got others` },
      ]),
    )
  }
  if (blocks.success.length === 0) return Exit.succeed(done)
  let left = maxTextLength
  const fitted = blocks.success.map((block) => {
    if (block.type !== "text") return block
    const kept: TextBlock = { ...block, text: cut(block.text, left) }
    left = Math.max(0, left - block.text.length)
    return kept
  })
  return Exit.succeed({ content: fitted })
}

/** Keep three quarters of the room for the beginning, one for the end; never part a surrogate pair. */
const cut = (text: string, room: number): string => {
  if (text.length <= room) return text
  const head = text.slice(0, Math.floor(room * 0.75)).replace(/[\uD800-\uDBFF]$/, "")
  const tail = text.slice(text.length - Math.floor(room / 4)).replace(/^[\uDC00-\uDFFF]/, "")
  const lost = text.length - head.length - tail.length
  return `${head}\n[… ${lost} of ${text.length} characters are left out here …]\n${tail}`
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The canonical codec of a number writes Infinity as text; here a number stays one or is refused. */
const nonFinite = (value: unknown): ReadonlyArray<Violation> => {
  const json = jsonify(value)
  return Result.isSuccess(json) ? [] : json.failure.filter(({ expected }) => expected === "a finite number")
}

const explain = (issue: SchemaIssue.Issue): ReadonlyArray<Violation> =>
  format(issue).issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === "number" ? step : String(step)))
    const [expected = message, got = "another value"] = message.split(", got ")
    return {
      path: steps,
      expected: expected.replace(/^Expected /, ""),
      got,
      message: `${placeOf(steps)}: ${message}`,
    }
  })

const broken = (defect: unknown): Violation => {
  const message = `output: the output schema broke: ${Foreign.normalise(defect).message}`
  return { path: [], expected: "a value that the output schema can encode", got: "another", message }
}
