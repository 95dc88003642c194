import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import * as Ancestry from "../../src/contract/Ancestry.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { fork, placesOf } from "../../src/fork/Fork.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { find, story } from "../../src/mutant/Story.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { runs } from "../runs.ts"

const world = Layer.mergeAll(MemoryStore.layer, DevInvariants.layer())

/** Store a log as it is. */
const keep = (events: ReadonlyArray<SessionEvent>, id = "story") =>
  Effect.gen(function* () {
    const store = yield* SessionStore
    yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "synced")))
  })

const read = (id: string) => Effect.flatMap(SessionStore, (store) => store.read(id))

describe("fork", () => {
  it.effect("begins a session with the events of its parent, unchanged, and says where it comes from", () =>
    Effect.gen(function* () {
      yield* keep(story)
      const at = find("step/end", 0)
      const forked = yield* fork("story", { at, id: "child" })
      const child = yield* read("child")
      expect(child.slice(1, at + 1)).toEqual(story.slice(1, at + 1))
      expect(child[0]?.data).toMatchObject({ id: "child", parent: forked.parent })
      expect(forked.parent).toEqual({ id: "story", seq: at, digest: Ancestry.digest(story, at) })
      expect(yield* read("story")).toEqual(story)
      expect(verify(child)).toEqual([])
    }).pipe(Effect.provide(world)),
  )

  it.effect("cancels what nothing had claimed, unless it is told to keep it", () =>
    Effect.gen(function* () {
      yield* keep(story)
      const at = find("step/end", 0)
      expect((yield* fork("story", { at, id: "a" })).cancelled).toEqual(["m4"])
      expect((yield* read("a")).at(-1)).toMatchObject({
        type: "message/cancelled",
        data: { messageIds: ["m4"] },
      })
      expect((yield* fork("story", { at, id: "b", pending: "keep" })).cancelled).toEqual([])
      expect((yield* read("b")).at(-1)?.type).toBe("step/end")
    }).pipe(Effect.provide(world)),
  )

  it.effect("refuses to cut a step, and says where it can be cut", () =>
    Effect.gen(function* () {
      yield* keep(story)
      const inside = find("assistant/message", 0)
      const refused = yield* Effect.exit(fork("story", { at: inside }))
      expect(Exit.isFailure(refused)).toBe(true)
      const error = yield* Effect.flip(fork("story", { at: inside }))
      expect(error).toMatchObject({
        _tag: "ForkRefused",
        code: "FORK_REFUSED",
        before: find("step/start", 0) - 1,
        after: find("step/end", 0),
      })
      expect((yield* Effect.flip(fork("story", { at: 999 }))).message).toContain(`to ${story.length - 1}`)
    }).pipe(Effect.provide(world)),
  )

  it.effect("makes a session that an agent goes on with, apart from its parent", () =>
    Effect.gen(function* () {
      yield* keep(story)
      const { id } = yield* fork("story", { at: find("turn/end", 0) })
      const session = yield* SessionLog.open(id)
      const agent = yield* Agent.make({ session, tools: Toolbox.empty })
      expect((yield* agent.prompt("another way")).text).toBe("gladly")
      expect(verify(session.log())).toEqual([])
    }).pipe(Effect.scoped, Effect.provide([world, ScriptedModel.layer({ steps: [{ text: "gladly" }] })])),
  )

  it.effect("refuses a parent that could not be opened, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const message = find("user/message", 0)
      const said = story[message]
      if (said === undefined) throw new Error("the story says nothing")
      const at = story.length
      yield* keep([...story, { ...said, seq: at }])
      const error = yield* Effect.flip(fork("story", { at, id: "child" }))
      expect(error).toMatchObject({ _tag: "CorruptLog", rule: "inbox.unique" })
      expect(error.message).toContain(`seq ${at}: inbox.unique`)
      expect((yield* Effect.flip(read("child")))._tag).toBe("SessionNotFound")
      expect((yield* fork("story", { at: at - 1, id: "child" })).parent.seq).toBe(at - 1)
    }).pipe(Effect.provide(world)),
  )

  it.effect("of a log of a later version says which", () =>
    Effect.gen(function* () {
      const later = { seq: 0, at: 0, type: "~9:session/start", data: {} } as const
      yield* keep([later])
      expect(yield* Effect.flip(fork("story"))).toMatchObject({
        _tag: "UnsupportedLogVersion",
        found: 9,
        supported: 1,
      })
    }).pipe(Effect.provide(world)),
  )

  it.effect("of any lawful log, at any place outside of steps, is lawful", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(lawful, fc.nat(), (log, pick) => {
          const places = placesOf(log)
          const at = places[pick % places.length] ?? 0
          const forked = Effect.gen(function* () {
            yield* keep(log)
            yield* fork("story", { at, id: "child" })
            const child = yield* read("child")
            expect(verify(child)).toEqual([])
            expect(Ancestry.firstDifference(log, child, at)).toBeUndefined()
          })
          return Effect.runPromise(Effect.provide(forked, MemoryStore.layer))
        }),
        { numRuns: runs(40) },
      ),
    ),
  )
})

describe("a fork that broke off while it was made", () => {
  /** The first events of a fork of the story at its last turn/end, as a crash leaves them. */
  const leave = (count: number) =>
    Effect.gen(function* () {
      yield* keep(story)
      const at = find("step/end", 0)
      yield* fork("story", { at, id: "whole" })
      const whole = yield* read("whole")
      yield* keep(whole.slice(0, count), "child")
      return { at, whole: whole.slice(1) }
    })

  it.effect("is not opened, wherever it broke off, and the same fork finishes it", () =>
    Effect.forEach(
      Array.from({ length: find("step/end", 0) }, (_, index) => index + 1),
      (count) =>
        Effect.gen(function* () {
          const { at, whole } = yield* leave(count)
          expect(yield* Effect.flip(Effect.scoped(SessionLog.open("child")))).toMatchObject({
            _tag: "CorruptLog",
            rule: "fork.prefix",
            message: expect.stringContaining(`broke off while it was made, after ${count} events`),
          })
          expect(yield* Effect.flip(fork("child"))).toMatchObject({ rule: "fork.prefix" })
          expect(yield* fork("story", { id: "child" })).toMatchObject({ parent: { seq: at } })
          const log = yield* read("child")
          expect(log.slice(1).map(({ type, data }) => [type, data])).toEqual(
            whole.map(({ type, data }) => [type, data]),
          )
          expect(verify(log)).toEqual([])
          yield* Effect.scoped(SessionLog.open("child"))
        }).pipe(Effect.provide(Layer.fresh(world))),
      { discard: true },
    ),
  )

  it.effect("is left alone by another fork, and so is one that is whole", () =>
    Effect.gen(function* () {
      const { at } = yield* leave(3)
      const turnEnd = find("turn/end", 0)
      expect((yield* Effect.flip(fork("story", { at: turnEnd, id: "child" })))._tag).toBe("SessionExists")
      expect((yield* Effect.flip(fork("story", { at, id: "whole" })))._tag).toBe("SessionExists")
      expect(yield* read("child")).toHaveLength(3)
    }).pipe(Effect.provide(world)),
  )

  it.effect("is finished on files too, where its last line is torn", () =>
    Effect.gen(function* () {
      const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const file = join(directory, "child.jsonl")
      const forked = Effect.gen(function* () {
        yield* keep(story)
        yield* fork("story", { at: find("turn/end", 0), id: "child" })
        const whole = readFileSync(file)
        writeFileSync(file, whole.subarray(0, Math.floor(whole.length / 2)))
        expect((yield* Effect.flip(Effect.scoped(SessionLog.open("child"))))._tag).toBe("CorruptLog")
        yield* fork("story", { id: "child" })
        expect(readFileSync(file)).toEqual(whole)
      })
      yield* Effect.provide(forked, JsonlStore.layer({ directory }))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})

describe("fork.prefix", () => {
  it.effect("is held at open, without the parent", () =>
    Effect.gen(function* () {
      yield* keep(story)
      yield* fork("story", { at: find("turn/end", 0), id: "child" })
      const place = find("user/message", 0)
      const changed = (yield* read("child")).map((event) =>
        event.seq === place ? { ...event, at: event.at + 1 } : event,
      )
      yield* keep(changed, "changed")
      expect(yield* Effect.flip(Effect.scoped(SessionLog.open("changed")))).toMatchObject({
        _tag: "CorruptLog",
        rule: "fork.prefix",
      })
    }).pipe(Effect.provide(world)),
  )

  it.effect("names a fork whose beginning was changed, and the parent tells where", () =>
    Effect.gen(function* () {
      yield* keep(story)
      const at = find("turn/end", 0)
      yield* fork("story", { at, id: "child" })
      const child = yield* read("child")
      const place = find("user/message", 0)
      const changed = child.map((event) => (event.seq === place ? { ...event, at: event.at + 1 } : event))
      expect(verify(changed).map(({ rule, seq }) => [rule, seq])).toEqual([["fork.prefix", at]])
      expect(Ancestry.firstDifference(story, changed, at)).toBe(place)
    }).pipe(Effect.provide(world)),
  )
})
