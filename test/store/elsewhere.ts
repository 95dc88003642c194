/** A holder of a session of whom nothing can be known from here. */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A lease of a process on another machine, of which nothing is known. */
export const holdElsewhere = (directory: string) => {
  const leases = join(directory, "s.lease")
  if (!existsSync(leases)) return
  const numbers = readdirSync(leases).map((name) => Number.parseInt(name, 10))
  const holder = { host: "elsewhere", pid: 1, since: 0, instance: "other", taking: 1 }
  writeFileSync(join(leases, String(Math.max(0, ...numbers) + 1)), `${JSON.stringify(holder)}\n`)
}
