/** Hear whole answers of ten thousand pieces; the cost of a piece. */
import type { Work } from "../Row.ts"

const pieces = 10_000

/** `hear` takes an answer of so many pieces, and gives the length of what it heard. */
export const hearing = (hear: (pieces: number) => Promise<number>): Work => ({
  kind: "repeated",
  operations: pieces,
  run: async (times) => {
    for (let time = 0; time < times; time++) if ((await hear(pieces)) === 0) throw new Error("nothing heard")
  },
})

/** The same pieces, each after a turn of the event loop, as what comes from a socket. */
export async function* waitingFor<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    await new Promise((resume) => setImmediate(resume))
    yield piece
  }
}
