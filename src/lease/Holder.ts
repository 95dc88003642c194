/**
 * Who holds a lease, and whether that process still lives.
 *
 * In:  this process and its machine, as /proc tells them.      Out: `Holder`, as it stands in a lease; `lifeOf` one of them.
 * Fails with: nothing; what cannot be read is left out, and what is not proved is `unknown`.
 * Not here: what is done about it (`Lease.ts`).
 * Source: PROTOCOL "One writer", proc(5).
 */
import { hostname } from "node:os"
import { Clock, Effect, type FileSystem, Schema } from "effect"

const optional = Schema.optionalKey(Schema.String)

/** Without `boot` and `start`, which only Linux tells, a death is believed less and a life is never disproved. */
export const Holder = Schema.Struct({
  host: Schema.String,
  pid: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Units: epoch milliseconds. */
  since: Schema.Int,
  /** Drawn anew by each copy of this module, for workers of a process share its pid; and counted up at each taking. */
  instance: Schema.String,
  taking: Schema.Int,
  machine: optional,
  boot: optional,
  /** The pid namespace: a pid means something in its own only. */
  namespace: optional,
  /** When the process started, in ticks after boot: a pid comes again, with another start. */
  start: optional,
})
export interface Holder extends Schema.Schema.Type<typeof Holder> {}

/**
 * `dead`: proved, nothing of it can write any more. `gone`: nobody is there to be disturbed, but it is not proved well
 * enough to go on with the same file. `alive`: it runs or is stopped. `unknown`: elsewhere, where one cannot look.
 */
export type Life = "dead" | "gone" | "alive" | "unknown"

const instance = globalThis.crypto.randomUUID()
let takings = 0

/** Tell whether a holder is this copy of this module. */
export const isOurs = (holder: Holder): boolean => holder.instance === instance

const readText = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string | undefined> =>
  Effect.matchEager(fs.readFileString(path), {
    onFailure: () => undefined,
    onSuccess: (text) => text.trim() || undefined,
  })

interface Stat {
  readonly isZombie: boolean
  readonly start: string
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces and brackets. */
const parseStat = (text: string | undefined): Stat | undefined => {
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state, start, threads] = [fields?.[0], fields?.[19], Number(fields?.[17])]
  if (state === undefined || start === undefined) return undefined
  // A killed process may keep threads that finish their last write; then its leader is a zombie already.
  return { isZombie: (state === "Z" || state === "X") && threads <= 1, start }
}

/** This process, as people look for it. */
export const address = (): { readonly host: string; readonly pid: number } => ({
  host: hostname(),
  pid: process.pid,
})

/** This process, as a holder from now on; each call is another holder. */
export const self = Effect.fnUntraced(function* (fs: FileSystem.FileSystem): Effect.fn.Return<Holder> {
  const isLinux = process.platform === "linux"
  const onLinux = (read: Effect.Effect<string | undefined>) => (isLinux ? read : Effect.succeed(undefined))
  const machine = yield* onLinux(readText(fs, "/etc/machine-id"))
  const boot = yield* onLinux(readText(fs, "/proc/sys/kernel/random/boot_id"))
  const namespace = yield* onLinux(Effect.orElseSucceed(fs.readLink("/proc/self/ns/pid"), () => undefined))
  const start = parseStat(yield* onLinux(readText(fs, "/proc/self/stat")))?.start
  return {
    ...address(),
    since: yield* Clock.currentTimeMillis,
    instance,
    taking: ++takings,
    ...(machine !== undefined && { machine }),
    ...(boot !== undefined && { boot }),
    ...(namespace !== undefined && { namespace }),
    ...(start !== undefined && { start }),
  }
})

/** Say whether a holder lives, as far as `me` can see. */
export const lifeOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  holder: Holder,
  me: Holder,
): Effect.fn.Return<Life> {
  if (holder.host !== me.host) return "unknown"
  if (holder.boot !== me.boot) {
    // Equal names and machine ids are no proof: images are copied. It is enough to take over, with a file of its own.
    const isThisMachine = holder.machine !== undefined && holder.machine === me.machine
    return isThisMachine && holder.boot !== undefined && me.boot !== undefined ? "gone" : "unknown"
  }
  if (holder.namespace !== me.namespace) return "unknown"
  const isProvable = holder.boot !== undefined && holder.namespace !== undefined
  if (isNoProcess(holder.pid)) return isProvable ? "dead" : "gone"
  const stat = isProvable ? parseStat(yield* readText(fs, `/proc/${holder.pid}/stat`)) : undefined
  if (stat === undefined) return "alive"
  return stat.isZombie || (holder.start !== undefined && holder.start !== stat.start) ? "dead" : "alive"
})

/** Ask the kernel, not /proc: that may be mounted so that it hides the processes of others. */
const isNoProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ESRCH"
  }
}
