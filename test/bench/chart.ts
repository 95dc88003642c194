/**
 * A chart of lines over two logarithmic axes, as SVG without scripts.
 *
 * Shape: colours that are told apart on light and on dark ground; text follows the reader's scheme.
 */
import { format } from "./format.ts"
import type { Unit } from "./Row.ts"

export interface Series {
  readonly name: string
  readonly points: ReadonlyArray<readonly [x: number, y: number]>
}

export interface Chart {
  readonly title: string
  readonly across: string
  readonly unit: Unit
  readonly series: ReadonlyArray<Series>
}

const size = { width: 720, height: 380 }
const frame = { left: 76, right: 560, top: 48, bottom: 320 }
const colours = ["#8a8f98", "#2f81f7", "#d1720f", "#2da44e", "#bf5af2", "#d64550", "#12a5a5", "#a88a00"]

const style = `text { font: 13px system-ui, sans-serif; fill: #57606a } .title { font-weight: 600; fill: #24292f }
.grid { stroke: #8a8f98; stroke-opacity: .3 } path { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #9da7b3 } .title { fill: #e6edf3 } }`

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const decades = (values: ReadonlyArray<number>): readonly [number, number] => [
  Math.floor(Math.log10(Math.min(...values))),
  Math.ceil(Math.log10(Math.max(...values))),
]

/** Where a value lies between two ends of a logarithmic axis. */
const scale =
  ([low, high]: readonly [number, number], from: number, to: number) =>
  (value: number): number =>
    Math.round((from + ((Math.log10(value) - low) / Math.max(1, high - low)) * (to - from)) * 10) / 10

const powers = ([low, high]: readonly [number, number]): ReadonlyArray<number> =>
  Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at))

/** Labels at the ends of lines, moved apart where they would cover each other. */
const spread = (
  ends: ReadonlyArray<{ readonly at: number; readonly y: number }>,
): ReadonlyMap<number, number> => {
  const places = new Map<number, number>()
  let free = Number.NEGATIVE_INFINITY
  for (const { at, y } of ends.toSorted((a, b) => a.y - b.y)) {
    free = Math.max(free + 17, y)
    places.set(at, free)
  }
  return places
}

export const toSvg = ({ across, series, title, unit }: Chart): string => {
  const points = series.flatMap((one) => one.points)
  const [xs, ys] = [decades(points.map(([x]) => x)), decades(points.map(([, y]) => y))]
  const x = scale(xs, frame.left, frame.right)
  const y = scale(ys, frame.bottom, frame.top)
  const labels = spread(series.map((one, at) => ({ at, y: y(one.points.at(-1)?.[1] ?? 1) })))
  const grid = powers(ys).flatMap((value) => [
    `<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${y(value)}" y2="${y(value)}"/>`,
    `<text x="${frame.left - 8}" y="${y(value) + 4}" text-anchor="end">${format(value, unit)}</text>`,
  ])
  const ticks = powers(xs).map(
    (value) =>
      `<text x="${x(value)}" y="${frame.bottom + 20}" text-anchor="middle">${value.toLocaleString("en")}</text>`,
  )
  const lines = series.flatMap(({ name, points }, at) => {
    const colour = colours[at % colours.length]
    const path = points.map(([px, py], index) => `${index === 0 ? "M" : "L"}${x(px)} ${y(py)}`).join("")
    const dots = points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>`)
    const label = `<text x="${frame.right + 12}" y="${(labels.get(at) ?? 0) + 4}" style="fill:${colour}">${escape(name)}</text>`
    return [`<path d="${path}" stroke="${colour}"/>`, ...dots, label]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>${style}</style>`,
    `<text class="title" x="${frame.left}" y="24">${escape(title)}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(frame.left + frame.right) / 2}" y="${frame.bottom + 44}" text-anchor="middle">${escape(across)}</text>`,
    ...lines,
    "</svg>\n",
  ].join("\n")
}
