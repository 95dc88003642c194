/** A real Postgres engine: the one at DATABASE_URL, or PGlite behind its socket server, in this process. */
import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"

export interface Database {
  readonly url: string
  readonly stop: () => Promise<void>
}

export const startDatabase = async (): Promise<Database> => {
  const url = process.env["DATABASE_URL"]
  if (url !== undefined && url !== "") return { url, stop: () => Promise.resolve() }
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1", maxConnections: 100 })
  await server.start()
  const stop = async () => {
    await server.stop()
    await db.close()
  }
  return { url: `postgres://postgres:postgres@${server.getServerConn()}/postgres`, stop }
}
