/** A way to the database that breaks when told to: before a request reaches it, or before its answer comes back. */
import { connect, createServer, type Server, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

export interface CuttingProxy {
  readonly url: string
  /** Break the connection over which the next bytes go to the database. */
  readonly cutNext: (what: "request" | "answer") => void
}

const listen = (server: Server): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

export const cuttingProxy = (url: string): Effect.Effect<CuttingProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const target = new URL(url)
    const sockets = new Set<Socket>()
    let cut: "request" | "answer" | undefined
    const server = createServer((near) => {
      const far = connect(Number(target.port === "" ? 5432 : target.port), target.hostname)
      let isCut = false
      const end = () => {
        near.destroy()
        far.destroy()
      }
      near.on("data", (bytes) => {
        const now = cut
        cut = undefined
        if (now === "request") return end()
        if (now === "answer") isCut = true
        far.write(bytes)
      })
      // What comes back says that the database has done it.
      far.on("data", (bytes) => (isCut ? end() : near.write(bytes)))
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on("error", end)
        socket.on("close", end)
      }
    })
    const port = yield* listen(server)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }),
    )
    const here = new URL(url)
    here.host = `127.0.0.1:${port}`
    return { url: here.href, cutNext: (what) => (cut = what) }
  })
