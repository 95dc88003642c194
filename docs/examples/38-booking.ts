import { Effect } from "effect"
import { defineTool } from "effect-harness"

/** The last seat of a flight: whoever pays for it holds it meanwhile. */
export class Seat {
  isHeld = false
  hold = Effect.sync(() => void (this.isHeld = true))
  letGo = Effect.sync(() => void (this.isHeld = false))
}

const pay = Effect.sleep("2 seconds")
const about = { name: "book", description: "Book the last seat.", parameters: {} } as const

export const careless = (seat: Seat) =>
  defineTool({
    ...about,
    run: () => seat.hold.pipe(Effect.andThen(pay), Effect.andThen(seat.letGo), Effect.as("booked")),
  })

export const careful = (seat: Seat) =>
  defineTool({
    ...about,
    run: () =>
      Effect.acquireUseRelease(
        seat.hold,
        () => Effect.as(pay, "booked"),
        () => seat.letGo,
      ),
  })
