/**
 * Ids that grow with a log: each version stays as it was, and the newest costs what a plain map costs.
 *
 * In:  ids, one by one.      Out: `Known`, beginning with `nothing`.
 */

/** Versions share one growing map; each sees the first `size` of its ids only. */
export class Known {
  readonly #order: Map<string, number>
  readonly #size: number

  constructor(order: Map<string, number>, size: number) {
    this.#order = order
    this.#size = size
  }

  has(id: string): boolean {
    return (this.#order.get(id) ?? this.#size) < this.#size
  }

  /** The version that has a new id too. */
  with(id: string): Known {
    const size = this.#size
    // An older version that goes another way, as after a refused batch, takes a copy; so does the first, which all logs share.
    const isNewest = size > 0 && this.#order.size === size
    const order = isNewest ? this.#order : new Map([...this.#order].slice(0, size))
    order.set(id, size)
    return new Known(order, size + 1)
  }
}

export const nothing = new Known(new Map<string, number>(), 0)
