/** Leases of other processes, as they would have written them. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem } from "effect"
import { type Holder, self } from "../../src/lease/Holder.ts"

/** This process, but not this copy of the module; `changed` says what else is different. */
export const other = (changed: Partial<Holder> = {}): Effect.Effect<Holder> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap(self),
    Effect.map((me) => ({ ...me, instance: "another", ...changed })),
    Effect.provide(NodeServices.layer),
  )

export const elsewhere: Holder = { host: "elsewhere", pid: 41, since: 1_000, instance: "another", taking: 1 }

/** Put a lease where a process would have linked it. */
export const putLease = (directory: string, number: number, holder: Holder | string, end?: string): void => {
  mkdirSync(directory, { recursive: true })
  const head = typeof holder === "string" ? holder : JSON.stringify(holder)
  writeFileSync(join(directory, String(number)), `${head}\n${end === undefined ? "" : `${end}\n`}`)
}
