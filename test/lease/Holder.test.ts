import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { expect } from "vitest"
import { type Holder, type Life, lifeOf, self } from "../../src/lease/Holder.ts"
import { elsewhere, other } from "./holders.ts"

const isLinux = process.platform === "linux"

const judge = (holder: Holder): Effect.Effect<Life> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* lifeOf(fs, holder, yield* self(fs))
  }).pipe(Effect.provide(NodeServices.layer))

/** A process that waits, as a holder. */
const waiting = Effect.promise(async () => {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume(); console.log('up')"])
  await once(child.stdout, "data")
  return child
})

const startOf = (pid: number): string => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

const holderOf = (child: ChildProcess) => {
  const pid = child.pid ?? 0
  return other({ pid, ...(isLinux && { start: startOf(pid) }) })
}

const kill = (child: ChildProcess) =>
  Effect.promise(async () => {
    const closed = once(child, "close")
    child.kill("SIGKILL")
    await closed
  })

describe("lifeOf", () => {
  it.live(
    "takes a process for alive while it runs and while it is stopped, and for dead once it is killed",
    () =>
      Effect.gen(function* () {
        const child = yield* waiting
        const holder = yield* holderOf(child)
        expect(yield* judge(holder)).toBe("alive")
        child.kill("SIGSTOP")
        expect(yield* judge(holder)).toBe("alive")
        yield* kill(child)
        expect(yield* judge(holder)).toBe(isLinux ? "dead" : "gone")
      }),
  )

  it.effect.skipIf(!isLinux)("knows by the start that a pid is another process now", () =>
    Effect.gen(function* () {
      expect(yield* judge(yield* other())).toBe("alive")
      expect(yield* judge(yield* other({ start: "1" }))).toBe("dead")
    }),
  )

  it.effect.skipIf(!isLinux)(
    "believes that a machine was started again only when it is the same machine",
    () =>
      Effect.gen(function* () {
        const machine = "0123"
        const me = { ...(yield* other()), machine }
        const fs = yield* FileSystem.FileSystem
        const ask = (holder: Holder) => lifeOf(fs, holder, me)
        expect(yield* ask({ ...me, boot: "an earlier one" })).toBe("gone")
        expect(yield* ask({ ...me, boot: "an earlier one", machine: "4567" })).toBe("unknown")
      }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.effect("does not judge what it cannot look at", () =>
    Effect.gen(function* () {
      expect(yield* judge(elsewhere)).toBe("unknown")
      expect(yield* judge(yield* other({ namespace: "pid:[1]" }))).toBe("unknown")
    }),
  )

  it.live("without /proc believes the kernel that there is no such pid, and proves nothing", () =>
    Effect.gen(function* () {
      const child = yield* waiting
      const fs = yield* FileSystem.FileSystem
      const { host } = yield* self(fs)
      const holder = { ...elsewhere, host, pid: child.pid ?? 0 }
      const me = { ...elsewhere, host }
      expect(yield* lifeOf(fs, holder, me)).toBe("alive")
      yield* kill(child)
      expect(yield* lifeOf(fs, holder, me)).toBe("gone")
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live.skipIf(!isLinux)("takes a killed process for dead before its parent has buried it", () =>
    Effect.gen(function* () {
      const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"])
      const [line] = yield* Effect.promise(() => once(parent.stdout, "data"))
      const pid = Number(String(line).trim())
      // Once the shell has become a sleep, nobody waits for its child any more.
      while (!readFileSync(`/proc/${parent.pid}/cmdline`, "utf8").startsWith("sleep")) yield* Effect.yieldNow
      process.kill(pid, "SIGKILL")
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) yield* Effect.yieldNow
      expect(yield* judge(yield* other({ pid, start: startOf(pid) }))).toBe("dead")
      yield* kill(parent)
    }),
  )
})
