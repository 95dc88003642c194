/**
 * Repeat a piece of what a model wrote: short, quoted, and never a broken character.
 *
 * In:  any text.      Out: the piece that a message may show.
 * Not here: what a message says about it.
 */

/** Units: UTF-16 code units of the model's text that a message repeats. */
export const maxFragment = 60

/** Cut a text, never inside a surrogate pair, and show that it was cut. */
export const cut = (text: string, maxLength = maxFragment): string => {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, splitsPair ? maxLength - 1 : maxLength)}…`
}

/** Quote a fragment as JSON would. */
export const quote = (text: string, maxLength = maxFragment): string => JSON.stringify(cut(text, maxLength))

/** Write a number of things, in the plural where that is due. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`
