/** How much the expensive tests do: `LONG=1` for all of it. */
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"

export const isLong = process.env["LONG"] === "1"

/** Where a sync costs nothing, if there is such a place: for tests that sync thousands of times. */
export const quickDirectory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/** Figures that a run is to show. */
export const report = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
