/**
 * The beginning of a text, never a part of a character: a log and a provider refuse half a surrogate pair.
 *
 * In:  a text, and how much of it there is room for.      Out: its beginning.
 * Fails with: nothing.
 * Not here: the end of a long text (`output/cut.ts`), quotes around a piece of it (`text/Excerpt.ts`).
 */

/** Take as much of it as there is room for. Units: UTF-16 code units. */
export const of = (text: string, room: number): string => {
  if (text.length <= room) return text
  const last = text.charCodeAt(room - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? room - 1 : room)
}

/** The same, and show that there was more. */
export const shown = (text: string, room: number, more = "…"): string =>
  text.length <= room ? text : `${of(text, room)}${more}`
