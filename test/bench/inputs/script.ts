/**
 * What the scripted model of every contender says in a step, and what the tools answer.
 *
 * Shape: a step is twenty pieces of text and two calls; the last step is one piece of text.
 */

/** Twenty pieces, as a provider sends them. */
export const pieces: ReadonlyArray<string> = Array.from({ length: 20 }, (_, at) => `piece ${at} of it `)

export interface ScriptedCall {
  readonly id: string
  readonly name: "read" | "count"
  readonly arguments: string
}

/** The two calls of a step; their ids are unique over the steps. */
export const callsOf = (step: number): ReadonlyArray<ScriptedCall> => [
  { id: `call-${step}-a`, name: "read", arguments: `{"path":"src/file${step % 10}.ts","line":${step}}` },
  { id: `call-${step}-b`, name: "count", arguments: '{"path":"src/index.ts","line":12}' },
]

export const question = "What is in these files?"
export const lastWords = "That is all."

/** What a tool answers; the same work for everybody. */
export const output = (name: string, { path, line }: { readonly path: string; readonly line: number }) =>
  `${name} ${path}:${line} ok`
