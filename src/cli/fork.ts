/**
 * `effect-harness fork ID [--at SEQ]`: begin a session with the first events of another.
 *
 * In:  the id of a session, maybe a place in its log.      Out: the id of the fork on stdout, or one JSON object.
 * Fails with: `ForkRefused` for a place inside a step; what reading and creating sessions fails with.
 * Not here: going on with it (`resume.ts`).
 */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { fork as forkSession } from "../fork/Fork.ts"
import * as flags from "../setup/Flags.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import * as Meter from "../terminal/Meter.ts"
import { writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The id of a session in --dir"))

const at = Flag.Int("at").pipe(
  Flag.withDescription("Last seq that both share, outside of any step; the latest unless given"),
  Flag.optional,
)

export const fork = Command.make("fork", { id, at, dir: flags.dir, json: flags.json }, (config) =>
  Effect.gen(function* () {
    const place = Option.isNone(config.at) ? {} : { at: config.at.value }
    const store = JsonlStore.layerNode({ directory: config.dir, onRead: yield* Meter.follow })
    const forked = yield* Effect.provide(forkSession(config.id, place), store)
    if (config.json) return writeJson(forked)
    writeNote(`forked ${config.id} at seq ${forked.parent.seq}\nlog: ${forked.location}\n`)
    if (forked.cancelled.length > 0)
      writeNote(`cancelled in the fork, as its parent will serve them: ${forked.cancelled.join(", ")}\n`)
    writeResult(`${forked.id}\n`)
  }),
).pipe(Command.withDescription("Begin a session with the first events of another"))
