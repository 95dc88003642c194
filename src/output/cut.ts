/**
 * Leave out the middle of a text, never a part of a character.
 *
 * In:  a text, and the room there is for it.      Out: its beginning, what is left out as a line, its end.
 * Fails with: nothing.
 */

/** Keep three quarters of the room for the beginning, one for the end. Units: UTF-16 code units. */
export const cut = (text: string, room: number): string => {
  if (text.length <= room) return text
  const head = text.slice(0, Math.floor(room * 0.75)).replace(/[\uD800-\uDBFF]$/, "")
  const tail = text.slice(text.length - Math.floor(room / 4)).replace(/^[\uDC00-\uDFFF]/, "")
  const lost = text.length - head.length - tail.length
  return `${head}\n[… ${lost} of ${text.length} characters are left out here …]\n${tail}`
}
