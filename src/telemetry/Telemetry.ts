/**
 * Whether turns, requests and calls are traced and counted: off unless this layer is there.
 *
 * In:  operations, before and after they run.      Out: spans for the `Tracer` and counters for the metrics of the context.
 * Fails with: nothing. A span ends with the stable code of a failure, never with the failure itself.
 * Not here: names (`Operation.ts`), exporters (any that work with Effect's `Tracer` and `Metric`).
 * Source: docs/how-to/trace-an-agent.md.
 */
import { Clock, Context, Effect, Exit, Layer, Metric, type Tracer } from "effect"
import type { Count, Ending, Operation } from "./Operation.ts"

export interface Telemetry {
  /** Run as a span, below the one that is open; what runs inside has it as its parent. `end` must not throw. */
  readonly observe: <A, E>(
    operation: Operation,
    run: Effect.Effect<A, E>,
    end: (exit: Exit.Exit<A, E>) => Ending,
  ) => Effect.Effect<A, E>
}

/** Read once, when an agent is made. */
export const Telemetry = Context.Reference<Telemetry | undefined>("effect-harness/telemetry/Telemetry", {
  defaultValue: () => undefined,
})

const counters = {
  turns: Metric.counter("effect_harness.turns", { description: "Turns that ended", incremental: true }),
  requests: Metric.counter("effect_harness.requests", {
    description: "Requests to models, failed ones included",
    incremental: true,
  }),
  tokens: Metric.counter("effect_harness.tokens", { description: "Tokens used", incremental: true }),
  calls: Metric.counter("effect_harness.tool.calls", {
    description: "Tool calls, by tool, outcome and code",
    incremental: true,
  }),
} as const

/** Making a series costs more than a span; names of tools and codes are few, but nobody promises it. */
const series = new Map<string, ReturnType<typeof makeSeries>>()
const maxSeries = 1000

const makeSeries = ({ counter, attributes }: Count) => Metric.withAttributes(counters[counter], attributes)

const seriesOf = (count: Count) => {
  const key = toKey(count)
  const known = series.get(key)
  if (known !== undefined) return known
  if (series.size === maxSeries) series.clear()
  const made = makeSeries(count)
  series.set(key, made)
  return made
}

/** With lengths, so that no value runs into the next. */
const toKey = ({ counter, attributes }: Count): string => {
  let key: string = counter
  for (const name in attributes) {
    const value = attributes[name] ?? ""
    key += ` ${name}=${value.length}:${value}`
  }
  return key
}

/** The stack of whoever opens a span would be this file's. */
const withoutStack = { captureStackTrace: false } as const

const telemetry: Telemetry = {
  observe: ({ span: name, kind, attributes }, run, end) =>
    Effect.flatMap(Effect.makeSpan(name, { kind, attributes }), (span) =>
      Effect.onExit(Effect.withParentSpan(run, span, withoutStack), (exit) =>
        Effect.withFiber((fiber) => {
          const ending = end(exit)
          finish(span, ending, fiber.getRef(Clock.Clock).currentTimeNanosUnsafe())
          for (const count of ending.counts) seriesOf(count).updateUnsafe(count.by, fiber.context)
          return Effect.void
        }),
      ),
    ),
}

const finish = (span: Tracer.Span, { errorType, attributes }: Ending, now: bigint): void => {
  for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
  if (errorType !== undefined) span.attribute("error.type", errorType)
  span.end(now, errorType === undefined ? Exit.void : Exit.fail(new Coded(errorType)))
}

/** What an exporter writes of a failure: its code, and no stack. */
class Coded {
  readonly name: string
  readonly message: string
  readonly stack = ""
  constructor(code: string) {
    this.name = code
    this.message = code
  }
}

/** Turn it on for every agent that is made under this layer. */
export const layer: Layer.Layer<never> = Layer.succeed(Telemetry, telemetry)
