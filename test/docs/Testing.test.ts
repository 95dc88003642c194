/** docs/explain/testing.md shows the scores that are kept, and none is lower than it must be. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { floors, isRoom, type Room, rooms } from "../mutation/rooms.ts"
import { partOf, table } from "./Generated.ts"

const path = "docs/explain/testing.md"

interface Counts {
  readonly mutants: number
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  readonly score: number
}

const kept: Partial<Record<Room, Counts>> = JSON.parse(readFileSync("test/mutation/scores.json", "utf8"))

describe("the page about tests", () => {
  it("has the score of every room", () => {
    const rows = rooms.flatMap((room) => {
      const counts = kept[room]
      if (counts === undefined) return []
      const { killed, mutants, score, survived, timeout } = counts
      return [[`\`${room}\``, ...[mutants, killed, timeout, survived].map(String), `${score.toFixed(1)} %`]]
    })
    const wanted = table(["room", "mutants", "noticed", "never ends", "survived", "score"], rows)
    expect(partOf(path, "scores", wanted)).toBe(wanted)
  })

  it.each(Object.entries(kept))("has a score of %s that adds up and is high enough", (room, counts) => {
    const { killed, mutants, score, survived, timeout } = counts
    expect(killed + timeout + survived).toBe(mutants)
    expect(score).toBe(Math.floor((1000 * (killed + timeout)) / mutants) / 10)
    expect(score).toBeGreaterThanOrEqual((isRoom(room) ? floors[room] : undefined) ?? 0)
  })
})
