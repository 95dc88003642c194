import { Toolbox } from "effect-harness"
import { Explore } from "effect-harness/testing"
import { expect, it } from "vitest"
import { careful, careless, Seat } from "./38-booking.ts"

const booking = (book: typeof careful): Explore.Options => {
  let seat = new Seat()
  return {
    world: () => ({
      agent: () => {
        seat = new Seat() // in memory: it dies with the process
        return { tools: Toolbox.make(book(seat)) }
      },
      model: { steps: [{ calls: [{ name: "book", arguments: "{}" }] }, { text: "Booked." }] },
      judge: () => (seat.isHeld ? "the seat is held for ever" : undefined),
    }),
    stimuli: [Explore.prompt("Book it."), Explore.abort],
    runs: 100,
  }
}

it("holds no seat for ever", async () => {
  const { turns } = await Explore.check(booking(careful))
  expect(turns.completed).toBeGreaterThan(10)
  expect(turns.aborted).toBeGreaterThan(10)
})

it("is found out when it is careless", () =>
  expect(Explore.check(booking(careless))).rejects.toThrow("the seat is held for ever"))
