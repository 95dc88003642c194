import { execFileSync } from "node:child_process"
import { it } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { describe, expect } from "vitest"
import { Unreadable } from "../../src/setup/CliFailure.ts"
import { fileBytes } from "../../src/verdict/FileBytes.ts"
import { judgeFile } from "../../src/verdict/Judge.ts"
import * as Summary from "../../src/verdict/Summary.ts"
import * as Targets from "../../src/verdict/Targets.ts"
import { inFolder, lawful } from "./files.ts"

const tree = {
  "a.jsonl": lawful,
  "a~2.jsonl": lawful,
  "a~10.jsonl": lawful,
  "a.torn-1": "{",
  "a.lease/1": "{}",
  "a.lease/stray.jsonl": lawful,
  "notes.txt": "",
  "sub/deep/b.jsonl": lawful,
}

describe("what is meant by names", () => {
  it.effect("is the newest log of each session in a folder and the folders in it", () =>
    inFolder(tree, (folder) =>
      Effect.gen(function* () {
        expect(yield* Targets.find([folder], "none")).toEqual([
          `${folder}/a~10.jsonl`,
          `${folder}/sub/deep/b.jsonl`,
        ])
      }),
    ),
  )

  it.effect("is each file once, an id of a session in the folder of sessions, and stdin", () =>
    inFolder(tree, (folder) =>
      Effect.gen(function* () {
        const names = ["-", `${folder}/a~10.jsonl`, "a", `${folder}/sub/../a~10.jsonl`, "-", folder]
        expect(yield* Targets.find(names, folder)).toEqual([
          "-",
          `${folder}/a~10.jsonl`,
          `${folder}/sub/deep/b.jsonl`,
        ])
      }),
    ),
  )

  it.effect("walks around no ring of links, and keeps a link that leads nowhere", () =>
    inFolder(tree, (folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.symlink("..", `${folder}/sub/up`)
        yield* fs.symlink("self.jsonl", `${folder}/sub/self.jsonl`)
        const targets = yield* Targets.find([`${folder}/sub`], "none")
        expect(targets).toEqual([`${folder}/sub/deep/b.jsonl`, `${folder}/sub/self.jsonl`])
        const failure = yield* Effect.flip(judgeFile(`${folder}/sub/self.jsonl`))
        expect(failure.message).toMatch(/cannot be read: ELOOP$/)
      }),
    ),
  )

  it.effect("is unread where there is nothing, and the other names stand", () =>
    inFolder({ "empty/x.txt": "", "a.jsonl": lawful }, (folder) =>
      Effect.gen(function* () {
        const names = ["empty", "none.jsonl", "a.jsonl", "none.jsonl"].map((name) => `${folder}/${name}`)
        expect(yield* Targets.find(names, "none")).toEqual([
          { file: `${folder}/empty`, failure: expect.any(Unreadable) },
          { file: `${folder}/none.jsonl`, failure: expect.any(Unreadable) },
          `${folder}/a.jsonl`,
        ])
      }),
    ),
  )
})

describe("the bytes of a log", () => {
  it.effect("are those that were there when the reading began", () =>
    inFolder({ "a.jsonl": lawful }, (folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const file = `${folder}/a.jsonl`
        const grow = (bytes: Uint8Array) => Effect.as(fs.writeFile(file, bytes, { flag: "a" }), bytes.length)
        const lengths = yield* Stream.runCollect(Stream.mapEffect(fileBytes(file), grow))
        expect(lengths).toEqual([new TextEncoder().encode(lawful).length])
      }),
    ),
  )

  it.effect("are not asked of a pipe by its name, which nobody may ever write to", () =>
    inFolder({}, (folder) =>
      Effect.gen(function* () {
        execFileSync("mkfifo", [`${folder}/pipe`])
        const failure = yield* Effect.flip(judgeFile(`${folder}/pipe`))
        expect(failure.message).toMatch(/no file but of the kind FIFO; give its content on stdin/)
      }),
    ),
  )
})

describe("a summary", () => {
  const verdict = (file: string, sessionId: string, ...broken: ReadonlyArray<[string, number]>) => ({
    file,
    events: 10,
    violations: [],
    broken: new Map(broken),
    unfinished: [],
    sessionId,
  })
  const plain = (text: string) => text
  const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }
  const outcomes = [
    verdict("a", "s", ["log.seq", 2], ["turn.nests", 9]),
    verdict("b", "s", ["log.seq", 1]),
    verdict("c", "t"),
    { file: "d", failure: new Unreadable({ message: "gone" }) },
  ]

  it("adds up logs and the rules that they break, the most often first", () => {
    expect(Summary.toText(outcomes, paint)).toBe(`
4 logs · 1 lawful · 2 unlawful · 1 unreadable · 30 events
  rule        violations    logs
  turn.nests           9       1
  log.seq              3       2
`)
  })

  it("is silent about one log", () => {
    expect(Summary.toText(outcomes.slice(0, 1), paint)).toBe("")
  })

  it("names a session that is in two logs", () => {
    expect(Summary.doubles(outcomes)).toEqual(["session s is in 2 logs: a, b"])
  })
})
