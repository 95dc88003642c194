/**
 * Take a deep, frozen copy of a message.
 *
 * In:  JSON-like data, maybe the caller's own.      Out: an equal value that shares nothing with it and never changes.
 */
export const detach = <A>(value: A): A => freeze(structuredClone(value))

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}
