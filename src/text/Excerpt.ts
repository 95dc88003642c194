/**
 * Repeat a piece of what a model wrote: short, quoted, and never a broken character.
 *
 * In:  any text.      Out: the piece that a message may show.
 * Not here: what a message says about it.
 */
import * as Beginning from "../error/Beginning.ts"

/** Units: UTF-16 code units of the model's text that a message repeats. */
export const maxFragment = 60

/** Cut a text, never inside a surrogate pair, and show that it was cut. */
export const cut = (text: string, maxLength = maxFragment): string => Beginning.shown(text, maxLength)

/** Quote a fragment as JSON may: what cannot be seen, such as a byte order mark, is written as its code. */
export const quote = (text: string, maxLength = maxFragment): string => {
  const quoted = JSON.stringify(cut(text, maxLength))
  return isVisible.test(quoted) ? quoted : quoted.replace(invisible, escape)
}

/** What most texts are: then there is nothing to escape. */
const isVisible = /^[ -~]*$/

/** Joiners stay, for words and pictures are made with them; so does the space. */
const invisible = /(?!\u200c|\u200d| )[\p{Cf}\p{Cc}\p{Z}]/gu

const escape = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** Write a number of things, in the plural where that is due. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`
