/**
 * What a body gave, in the form that a result carries.
 *
 * In:  any value, or blocks made with `content`.      Out: `Rendered`: what the model reads, and the JSON itself.
 * Fails with: violations, with the path of every value that JSON cannot hold.
 * Not here: whole results (`tool/encode.ts`), how a value becomes JSON (`jsonify.ts`), where the rest goes (`Spill.ts`).
 */
import { Cause, Effect, Exit, Result, Schema, SchemaIssue } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import type { Violation } from "../error/Violation.ts"
import { Content, type TextBlock } from "../message/Content.ts"
import { cut } from "./cut.ts"
import { jsonify, placeOf } from "./jsonify.ts"

const brand: unique symbol = Symbol.for("effect-harness/output/Output")

/** Text and images for the model, instead of JSON. */
export interface ContentOutput {
  readonly [brand]: true
  readonly content: Content
}

export interface Rendered {
  readonly content: Content
  /** The output itself, when it is a JSON object or array and was not cut. */
  readonly structured?: Schema.Json
  /** All of its text, when the content is only a part of it. */
  readonly whole?: () => string
  /** Where the whole text lies. */
  readonly spill?: string
}

/** What is wrong with an output, all of it. */
export type Violations = ReadonlyArray<Violation>

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
export const render = (value: unknown): Exit.Exit<Rendered, Violations> => {
  const json = jsonify(isContent(value) ? value.content : value)
  if (Result.isFailure(json)) return Exit.fail(json.failure)
  return isContent(value) ? renderBlocks(json.success) : Exit.succeed(renderJson(json.success))
}

/** Encode by the schema's canonical JSON codec, then render. */
export const encodeBy = <S extends Schema.Codec<unknown, unknown, unknown, unknown>>(
  schema: S,
): ((value: unknown) => Effect.Effect<Rendered, Violations, S["EncodingServices"]>) => {
  const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(schema), { errors: "all" })
  return (value) => {
    const lost = nonFinite(value)
    if (lost.length > 0) return Effect.fail(lost)
    // At once where no step of the codec has to wait, as that of nearly all schemas.
    return Effect.matchCauseEffectEager(Contained.run(Contained.from(() => encode(value))), {
      onSuccess: (encoded): Effect.Effect<Rendered, Violations> => render(encoded),
      onFailure: (cause) => {
        const error = Cause.findError(cause)
        if (Result.isSuccess(error)) return Effect.fail(explain(error.success.issue))
        if (Cause.hasInterrupts(cause)) return Effect.failCause(error.failure)
        return Effect.fail([broken(Cause.squash(cause))])
      },
    })
  }
}

/** Leave out what is too much of these blocks; images stay. */
const fit = (blocks: Content): Content => {
  let left = maxTextLength
  return blocks.map((block) => {
    if (block.type !== "text") return block
    const kept: TextBlock = { ...block, text: cut(block.text, left) }
    left = Math.max(0, left - block.text.length)
    return kept
  })
}

/** Providers refuse empty text. */
const done: Rendered = { content: [{ type: "text", text: "(done, no output)" }] }

const renderJson = (json: Schema.Json | undefined): Rendered => {
  if (json === undefined || json === "") return done
  const text = typeof json === "string" ? json : JSON.stringify(json)
  if (text.length > maxTextLength) {
    // Lines, so that a range of it can be read again.
    const whole = () => (typeof json === "string" ? json : JSON.stringify(json, null, 2))
    return { content: [{ type: "text", text: cut(text, maxTextLength) }], whole }
  }
  const content: Content = [{ type: "text", text }]
  return typeof json === "object" && json !== null ? { content, structured: json } : { content }
}

const decodeContent = Schema.decodeUnknownResult(Content)

const renderBlocks = (json: Schema.Json | undefined): Exit.Exit<Rendered, Violations> => {
  const blocks = decodeContent(json)
  if (Result.isFailure(blocks)) {
    const expected = "text blocks, and image blocks with data or a url"
    return Exit.fail([
      { path: [], expected, got: "others", message: `output: expected ${expected}, got others` },
    ])
  }
  if (blocks.success.length === 0) return Exit.succeed(done)
  const content = fit(blocks.success)
  const texts = blocks.success.flatMap((block) => (block.type === "text" ? [block.text] : []))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return Exit.succeed(length <= maxTextLength ? { content } : { content, whole: () => texts.join("\n") })
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The canonical codec of a number writes Infinity as text; here a number stays one or is refused. */
const nonFinite = (value: unknown): ReadonlyArray<Violation> => {
  const json = jsonify(value)
  return Result.isSuccess(json) ? [] : json.failure.filter(({ expected }) => expected === "a finite number")
}

/** An output of many wrong rows is wrong in one way; as many as `jsonify` tells. */
const maxViolations = 20

/** Units: UTF-16 code units of one sentence; what came instead can be a text of megabytes. */
const maxSentence = 1_000

const explain = (issue: SchemaIssue.Issue): ReadonlyArray<Violation> =>
  format(issue)
    .issues.slice(0, maxViolations)
    .map(({ message: whole, path = [] }) => {
      const message = cut(whole, maxSentence)
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
