/**
 * What a run of Stryker found in one room.
 *
 * In:  the text of its JSON report.      Out: the counts, and what survived.
 * Source: the mutation testing report schema, version 2: `files[name].mutants[].status`.
 */
import { Schema } from "effect"

const Mutant = Schema.Struct({
  mutatorName: Schema.String,
  replacement: Schema.optionalKey(Schema.String),
  status: Schema.Literals([
    "Killed",
    "Timeout",
    "Survived",
    "NoCoverage",
    "CompileError",
    "RuntimeError",
    "Ignored",
    "Pending",
  ]),
  location: Schema.Struct({ start: Schema.Struct({ line: Schema.Finite, column: Schema.Finite }) }),
})

const Report = Schema.fromJsonString(
  Schema.Struct({
    files: Schema.Record(Schema.String, Schema.Struct({ mutants: Schema.Array(Mutant) })),
  }),
)

/** Counts of mutants; a survivor is one that a test saw and let pass, or that no test saw. */
export interface Counts {
  readonly mutants: number
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  /** Units: percent, cut to one decimal: what is noticed, a test that never ends included. */
  readonly score: number
}

/** Counts of a room, and a line for each survivor. */
export interface Finding {
  readonly counts: Counts
  readonly survivors: ReadonlyArray<string>
}

/** Read a report. A mutant that cannot run at all (an error of the runner) is nobody's to kill and is not counted. */
export const readReport = (text: string): Finding => {
  const { files } = Schema.decodeUnknownSync(Report)(text)
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file })),
  )
  const having = (...statuses: ReadonlyArray<string>) => all.filter(({ status }) => statuses.includes(status))
  const killed = having("Killed").length
  const timeout = having("Timeout").length
  const survivors = having("Survived", "NoCoverage")
  const mutants = killed + timeout + survivors.length
  return {
    counts: {
      mutants,
      killed,
      timeout,
      survived: survivors.length,
      score: mutants === 0 ? 100 : Math.floor((1000 * (killed + timeout)) / mutants) / 10,
    },
    survivors: survivors.map(
      ({ file, location, mutatorName, replacement = "", status }) =>
        `${file}:${location.start.line}:${location.start.column} ${mutatorName} ${status === "NoCoverage" ? "(not run) " : ""}→ ${replacement.replaceAll(/\s+/g, " ")}`,
    ),
  }
}
