/**
 * What the words after `npm run bench --` ask for.
 *
 * In:  names of rows or lines, none for all, and flags (`main.ts` says what they do).
 * Fails with: nothing thrown; a sentence in place of the command when a word means nothing.
 */
import { parseArgs } from "node:util"
import type { Line, Row } from "./Row.ts"
import { rows } from "./rows.ts"

const flag = { type: "boolean", default: false } as const
const options = { quick: flag, alone: flag, peers: flag, write: flag, check: flag } as const

export interface Command {
  readonly flags: Readonly<Record<keyof typeof options, boolean>>
  readonly selected: ReadonlyArray<readonly [Row, Line]>
}

const all = rows.flatMap((row) => row.lines.map((line) => [row, line] as const))

/** Rows by name, lines by the beginning of their names. */
const means = (word: string, { name }: Line) => name === word || name.startsWith(`${word}/`)

const parse = (argv: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Of a row that there is, its lines are named; otherwise the rows. */
const complain = (strange: string): string => {
  const { lines } = rows.find(({ name }) => strange.startsWith(`${name}/`)) ?? {}
  return `there is no ${lines ? "line" : "row"} ${strange}; there are ${(lines ?? rows).map(({ name }) => name).join(", ")}`
}

export const toCommand = (argv: ReadonlyArray<string>): Command | string => {
  const parsed = parse(argv)
  if (typeof parsed === "string") {
    const flags = Object.keys(options).map((name) => `--${name}`)
    return `${parsed.split(". ")[0]}; there are ${flags.join(", ")}`
  }
  const { positionals: words, values: flags } = parsed
  const strange = words.find((word) => !all.some(([, line]) => means(word, line)))
  if (strange !== undefined) return complain(strange)
  const selected =
    words.length === 0 ? all : all.filter(([, line]) => words.some((word) => means(word, line)))
  return { flags, selected }
}
