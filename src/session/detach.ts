/**
 * Give a message that shares nothing with a caller and never changes.
 *
 * In:  JSON-like data.      Out: an equal value, deeply frozen.
 * What is frozen is taken to be so all through, as `event/EventCodec` freezes what it reads, and is not copied again.
 */
export const detach = <A>(value: A): A =>
  // The copy has the members of the value, each detached, so it is of the same type.
  (typeof value === "object" && value !== null && !Object.isFrozen(value) ? copy(value) : value) as A

const copy = (value: object): unknown => {
  if (Array.isArray(value)) return Object.freeze(value.map(detach))
  const result: { [key: string]: unknown } = { ...value }
  for (const key of Object.keys(result)) result[key] = detach(result[key])
  return Object.freeze(result)
}
