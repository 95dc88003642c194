/**
 * Numbers as they were written: decimals, of which doubles are only near.
 *
 * In:  finite numbers.      Out: what is exactly so of their shortest decimal form.
 * Fails with: nothing.
 * Not here: bounds, which doubles keep exactly.
 */

/** Exact for the decimals that were written: 0.3 is a multiple of 0.1, though no double is. */
export const isMultiple = (value: number, step: number): boolean => {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  const [left, right] = [toDecimal(value), toDecimal(step)]
  const exponent = Math.min(left.exponent, right.exponent)
  const scale = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  return scale(left) % scale(right) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

const toDecimal = (value: number): Decimal => {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
