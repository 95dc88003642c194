import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CorruptLog, UnsupportedLogVersion } from "../../src/event/EventError.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import { arbitrarySession } from "../session/arbitrarySession.ts"
import { begin, number, small } from "./logs.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => Result.getOrThrow(LogFile.parse(bytes(text)))
const refusal = (input: string | Uint8Array) =>
  Result.getOrThrow(Result.flip(LogFile.parse(typeof input === "string" ? bytes(input) : input)))

const start = '{"seq":0,"at":1,"type":"session/start","data":{"version":1,"id":"s","createdAt":1}}\n'
const opaque = (seq: number) => `{"seq":${seq},"at":1,"type":"vendor:x","data":${seq}}\n`

describe("LogFile", () => {
  it("reads back what it wrote, for every session", () => {
    fc.assert(
      fc.property(arbitrarySession, (drafts) => {
        const events = number([begin("s"), ...drafts])
        expect(parse(LogFile.encode(events)).events).toEqual(events)
      }),
    )
  })

  it("writes the same bytes however the events are cut into batches, packed runs aside", () => {
    const apart = small.map((event) => LogFile.encode([event])).join("")
    expect(parse(apart).events).toEqual(parse(LogFile.encode(small)).events)
  })

  it("packs a run of chunks of one step into one row", () => {
    const types = LogFile.encode(small)
      .trimEnd()
      .split("\n")
      .map((line) => /"type":"([^"]*)"/.exec(line)?.[1])
    expect(types).toEqual([
      "session/start",
      "user/message",
      "turn/start",
      "step/start",
      "assistant/chunk",
      "error",
      "assistant/chunks",
      "step/end",
      "step/start",
      "assistant/chunk",
      "step/end",
      "turn/end",
    ])
  })

  it("tells where each event lies, also inside a packed run", () => {
    const text = LogFile.encode(small)
    const { placeOf } = parse(text)
    const lineOf = (line: number) => ({
      line,
      byteOffset:
        bytes(
          text
            .split("\n")
            .slice(0, line - 1)
            .join("\n"),
        ).length + (line > 1 ? 1 : 0),
    })
    expect([0, 1, 6, 7, 8].map(placeOf)).toEqual([1, 2, 7, 7, 8].map(lineOf))
  })

  it("is whole up to every line feed and torn after it, at every byte", () => {
    const whole = bytes(LogFile.encode(small))
    for (let length = 0; length <= whole.length; length++) {
      const cut = whole.subarray(0, length)
      const read = Result.getOrThrow(LogFile.parse(cut))
      expect(read.wholeBytes).toBe(cut.lastIndexOf(0x0a) + 1)
      expect(read.events).toEqual(small.slice(0, read.events.length))
    }
  })

  it("splits on LF only, allows CR before it and a byte order mark at the start", () => {
    const separators = '{"seq":1,"at":1,"type":"vendor:x","data":"a\u2028b\u2029c\u0085d"}\n'
    const read = parse(`\ufeff${start.replace("\n", "\r\n")}${separators}`)
    expect(read.events.map((event) => event.data)).toEqual([expect.anything(), "a\u2028b\u2029c\u0085d"])
    expect(read.placeOf(1)).toEqual({ line: 2, byteOffset: 3 + bytes(start).length + 1 })
  })

  it.each([
    ["NUL bytes in the middle", `${start}\0\0\0\0\n${opaque(2)}`, /no JSON; it holds NUL bytes/],
    ["broken JSON in the middle", `${start}{"seq":1,\n${opaque(2)}`, /no JSON; .*check.*salvage/],
    ["an empty line", `${start}\n${opaque(1)}`, /no JSON; /],
    ["a row that is no event", `${start}{"seq":1}\n${opaque(2)}`, /no valid seq, at and type/],
    [
      "a run without rows",
      `${start}{"seq":1,"at":1,"type":"assistant/chunks","data":{"turn":1,"step":1,"rows":[]}}\n`,
      /assistant\/chunks is no event type/,
    ],
  ])("refuses %s, with line and byte", (_, text, why) => {
    const refused = refusal(text)
    expect(refused).toBeInstanceOf(CorruptLog)
    expect(refused).toMatchObject({
      line: 2,
      byteOffset: bytes(start).length,
      message: expect.stringMatching(why),
    })
  })

  it("tells how far it is now and then, and when it has read all", () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => opaque(n + 1)).join("")
    const log = bytes(`${start}${rows}`)
    const told: Array<number> = []
    Result.getOrThrow(
      LogFile.parse(log, (doneBytes, totalBytes) => {
        expect(totalBytes).toBe(log.length)
        told.push(doneBytes)
      }),
    )
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBe(log.length)
  })

  it("refuses bytes that are no UTF-8", () => {
    const refused = refusal(new Uint8Array([...bytes(start), 0x22, 0xff, 0x22, 0x0a]))
    expect(refused).toMatchObject({ line: 2, message: expect.stringMatching(/no UTF-8; /) })
  })

  it("states both versions of a log of a later format", () => {
    const refused = refusal('{"seq":0,"at":1,"type":"session/start","data":{"version":99}}\n')
    expect(refused).toBeInstanceOf(UnsupportedLogVersion)
    expect(refused).toMatchObject({ found: 99, supported: 1 })
  })
})

describe("LogFile.reader", () => {
  const text = bytes(`\ufeff${LogFile.encode(small)}{"seq":13,`)
  const readIn = (pieces: ReadonlyArray<Uint8Array>) => {
    const reader = LogFile.reader()
    const lines = pieces.flatMap((piece) => [...reader.push(piece)])
    return { lines, heldBytes: reader.heldBytes() }
  }

  it("reads in any two pieces what parse reads in one, and holds the rest", () => {
    const whole = Result.getOrThrow(LogFile.parse(text))
    const told = (lines: ReadonlyArray<LogFile.Line>, heldBytes: number) =>
      JSON.stringify([
        lines.flatMap(({ read }) => Result.getOrThrow(read)),
        lines[0]?.place,
        lines.at(-1)?.place,
        heldBytes,
      ])
    const last = whole.events.length - 1
    const expected = JSON.stringify([
      whole.events,
      whole.placeOf(0),
      whole.placeOf(last),
      text.length - whole.wholeBytes,
    ])
    for (let cut = 0; cut <= text.length; cut++) {
      const { lines, heldBytes } = readIn([text.subarray(0, cut), text.subarray(cut)])
      expect(told(lines, heldBytes)).toBe(expected)
    }
  })

  it("passes over what it cannot read, and goes on behind it", () => {
    const { lines } = readIn([bytes(`${start}garbage\n${opaque(2)}`)])
    expect(lines.map(({ place, read }) => [place.line, Result.isSuccess(read)])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ])
  })

  it("does not hold a line that is too long, and names it", () => {
    const piece = new Uint8Array(2 ** 20).fill(0x78)
    const long = Array.from({ length: 65 }, () => piece)
    const { lines } = readIn([bytes(start), ...long, bytes(`\n${opaque(1)}`)])
    expect(lines[1]?.place).toEqual({ line: 2, byteOffset: start.length })
    expect(lines[1]?.read).toMatchObject({
      failure: {
        rule: "log.lossless",
        message: `the line has ${65 * 2 ** 20} bytes and is not read: at most ${LogFile.maxLineBytes} are`,
      },
    })
    const { byteOffset } = lines[2]?.place ?? {}
    expect(byteOffset).toBe(start.length + 65 * 2 ** 20 + 1)
  })

  it("names a later version at its first line", () => {
    const { lines } = readIn([bytes('{"seq":0,"at":1,"type":"session/start","data":{"version":99}}\n')])
    expect(lines[0]?.read).toMatchObject({ failure: { _tag: "UnsupportedLogVersion", found: 99 } })
  })
})
