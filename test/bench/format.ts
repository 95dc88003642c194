/** Figures as people read them: three digits, and a unit that fits. */
import type { Unit } from "./Row.ts"

const digits = (value: number): string =>
  value >= 100 ? `${Math.round(value)}` : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const scaled = (value: number, steps: ReadonlyArray<readonly [number, string]>): string => {
  const [size, name] = steps.find(([size]) => value >= size) ?? steps.at(-1) ?? [1, ""]
  return `${digits(value / size)} ${name}`
}

const steps = {
  time: [
    [1e6, "s"],
    [1e3, "ms"],
    [1, "µs"],
    [1e-3, "ns"],
  ],
  bytes: [
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "B"],
  ],
} as const

/** Units: microseconds for `time`, operations a second for `rate`. */
export const format = (value: number, unit: Unit): string => {
  if (!Number.isFinite(value)) return "–"
  if (unit === "ratio") return `${digits(value)} ×`
  if (unit === "rate") return `${Math.round(value).toLocaleString("en")} /s`
  return scaled(value, steps[unit])
}
