/**
 * Numbers that follow from a seed, the same everywhere.
 *
 * In:  a seed.      Out: `Random` (splitmix32).
 */
export interface Random {
  /** From 0 up to 1. */
  readonly next: () => number
  /** A whole number from 0 up to `limit`. */
  readonly below: (limit: number) => number
}

export const make = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
  }
  return { next, below: (limit) => Math.floor(next() * limit) }
}

/** The seed of the nth run of a search: near seeds must not give near runs. */
export const nth = (seed: number, n: number): number =>
  Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35)

/** Put a list into an order that follows from the seed. */
export const shuffle = <A>(random: Random, list: ReadonlyArray<A>): ReadonlyArray<A> =>
  list
    .map((item) => ({ item, rank: random.next() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item)
