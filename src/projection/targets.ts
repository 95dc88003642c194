/**
 * What the strict modes of two providers read of JSON Schema, as tables.
 *
 * In:  nothing.      Out: one `Rules` a provider.
 * Not here: how a schema is made to fit (`projectNode.ts`).
 * Source: the providers' pages on structured outputs, as of autumn 2026: platform.openai.com/docs/guides/structured-outputs
 * ("Supported schemas") and platform.claude.com/docs/en/build-with-claude/structured-outputs ("JSON Schema limitations").
 */

export interface Rules {
  readonly name: "openai" | "anthropic"
  /** Every property is required; one that was not takes null for "absent". */
  readonly requiresAll: boolean
  readonly recursion: boolean
  /** Keywords kept as they are, beside the structure itself. */
  readonly keeps: ReadonlySet<string>
  readonly formats: ReadonlySet<string>
  /** Beyond: `minItems` becomes this; undefined when any is read. */
  readonly maxMinItems: number | undefined
  readonly readsPattern: (pattern: string) => boolean
  readonly limits: {
    readonly properties: number
    readonly depth: number
    readonly enumValues: number
    readonly optional: number
  }
}

const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]

export const openAi: Rules = {
  name: "openai",
  requiresAll: true,
  recursion: true,
  keeps: new Set([
    ...["title", "description", "enum", "const", "pattern", "minItems", "maxItems"],
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ]),
  formats: new Set(formats),
  maxMinItems: undefined,
  readsPattern: () => true,
  limits: { properties: 5_000, depth: 10, enumValues: 1_000, optional: 0 },
}

/** Lookaround, backreferences and word boundaries. */
const beyondRegular = /\(\?[=!<]|\\[1-9bBk]/

export const anthropic: Rules = {
  name: "anthropic",
  requiresAll: false,
  recursion: false,
  keeps: new Set(["title", "description", "enum", "const", "default", "pattern", "minItems"]),
  formats: new Set([...formats, "uri"]),
  maxMinItems: 1,
  readsPattern: (pattern) => !beyondRegular.test(pattern),
  limits: {
    properties: Number.POSITIVE_INFINITY,
    depth: Number.POSITIVE_INFINITY,
    enumValues: Number.POSITIVE_INFINITY,
    optional: 24,
  },
}
