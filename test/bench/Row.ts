/**
 * What the bench is made of: rows of lines, and contenders that do the work of a line.
 *
 * Out: types only. A contender without a work of a line does not take part in it.
 * Not here: the rows (`rows/`, one file each), the neighbours (`peers/`), how work is measured (`measure.ts`).
 */

/** What a measurement found, by name: `cpuMicros`, `wallMicros`, `peakBytes`, or what a sample calls its own. */
export type Figures = Readonly<Record<string, number>>

/**
 * `repeated`: the bench decides how often, and gives the cost of one. `sampled`: it measures itself, once a round.
 * `cold`: the same without a warm-up, because a round is a process of its own. `once`: once a process, for what is large.
 */
export type Work =
  | {
      readonly kind: "repeated"
      readonly run: (times: number) => unknown
      /** How many operations one time is; one unless given. */
      readonly operations?: number
    }
  | { readonly kind: "sampled" | "cold" | "once"; readonly sample: () => Figures | Promise<Figures> }

/** By the name of the work; made only in the process that measures it. */
export type Works = Readonly<Record<string, () => Work | Promise<Work>>>

export type Unit = "time" | "bytes" | "ratio" | "rate"

/** `figure` of ours is to be at most this many times that of another contender, or at most a fixed value. */
export interface Aim {
  readonly against: "floor" | "best peer" | "nothing" | { readonly contender: string }
  readonly atMost: number
}

export interface Line {
  readonly name: string
  readonly title: string
  /** The name of its work, when another line of the row has the same; measured once for both. */
  readonly work?: string
  /** Which figure the table compares; CPU time of one unless given. */
  readonly figure?: string
  /** `time` unless given. Units: microseconds behind it. */
  readonly unit?: Unit
  readonly aims?: ReadonlyArray<Aim>
  /** Further figures that the table names, and their units. */
  readonly also?: Readonly<Record<string, Unit>>
}

export interface Row {
  readonly name: string
  readonly title: string
  /** What the floor is, and what is not counted. */
  readonly floorIs: string
  readonly lines: ReadonlyArray<Line>
  readonly floor: Works
  readonly ours: Works
  /** The same source in another build, by the name of the build's folder. */
  readonly builds?: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Somebody else who can do some of the lines. */
export interface Peer {
  readonly name: string
  /** The packages that it stands for; the first one gives its version. */
  readonly packages: ReadonlyArray<string>
  readonly works: Readonly<Record<string, (inputs: unknown) => Work | Promise<Work>>>
}

export const figureOf = (line: Line): string => line.figure ?? "cpuMicros"
export const unitOf = (line: Line): Unit => line.unit ?? "time"
export const workOf = (line: Line): string => line.work ?? line.name
