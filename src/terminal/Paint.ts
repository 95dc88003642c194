/**
 * Colours for a terminal, or none.
 *
 * In:  whether the output can show colours.      Out: functions from text to text.
 * Not here: what is printed (`Timeline.ts` and the commands).
 */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const style = (open: number, close: number) => (text: string) =>
  text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`

const same = (text: string): string => text

const coloured: Paint = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
}

const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

export const make = (canColor: boolean): Paint => (canColor ? coloured : plain)

/** Replace control characters, so that nothing a model or a tool wrote can drive the terminal; lines stay lines. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\u{FFFD}")

/** The same on one line, so that a name or a message cannot pass for a line of ours. */
export const inline = (text: string): string => printable(text).replaceAll("\n", "↵")
