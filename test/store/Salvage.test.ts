import { describe, expect, it } from "vitest"
import * as LogFile from "../../src/store/LogFile.ts"
import * as Salvage from "../../src/store/Salvage.ts"
import { small } from "./logs.ts"

const text = LogFile.encode(small)
const lines = text.trimEnd().split("\n")
const bytes = (log: string) => new TextEncoder().encode(log)
const salvage = (log: ReadonlyArray<string> | string) =>
  Salvage.salvage(bytes(typeof log === "string" ? log : log.map((line) => `${line}\n`).join("")))
const offsetOf = (line: number) => bytes(lines.slice(0, line - 1).join("\n")).length + (line > 1 ? 1 : 0)
const line = (number: number) => lines[number - 1] ?? ""

describe("salvage", () => {
  it("has nothing to say about a whole log", () => {
    expect(salvage(text)).toEqual({ version: 1, events: small, gaps: [], unbroken: small.length })
  })

  it("names a line that cannot be read, the bytes it takes and the events that are gone with it", () => {
    const zeros = "\0".repeat(40)
    expect(salvage([line(1), zeros, ...lines.slice(2)])).toEqual({
      version: 1,
      events: small.filter(({ seq }) => seq !== 1),
      gaps: [
        {
          line: 2,
          byteOffset: offsetOf(2),
          byteLength: 40,
          seqs: { from: 1, to: 1 },
          reason: "the line is no JSON; it holds NUL bytes, as after a power loss",
        },
      ],
      unbroken: 1,
    })
  })

  it("names events that are missing without a trace, with all that a packed row stood for", () => {
    const packed = lines.findIndex((row) => row.includes("assistant/chunks"))
    const { gaps, unbroken } = salvage(lines.filter((_, index) => index !== packed))
    expect(gaps).toEqual([
      {
        line: packed + 1,
        byteOffset: offsetOf(packed + 1),
        byteLength: 0,
        seqs: { from: 6, to: 7 },
        reason: "the events 6 to 7 are missing",
      },
    ])
    expect(unbroken).toBe(6)
  })

  it("reads a long log of which every second line is broken or missing, with pauses", () => {
    const rows = Array.from(
      { length: 20_001 },
      (_, seq) => `{"seq":${seq},"at":1,"type":"vendor:x","data":0}`,
    )
    const broken = salvage(rows.map((row, seq) => (seq % 2 === 0 ? row : "junk")))
    expect([broken.gaps.length, broken.events.length]).toEqual([10_000, 10_001])
    expect(broken.gaps.every(({ seqs, line: at }) => seqs?.from === at - 1 && seqs.to === at - 1)).toBe(true)
    const missing = salvage(rows.filter((_, seq) => seq % 2 === 0))
    expect([missing.gaps.length, missing.events.length]).toEqual([10_000, 10_001])
    const log = bytes(rows.map((row) => `${row}\n`).join(""))
    const pauses = [...Salvage.salvageInSteps(log)]
    expect(pauses.length).toBeGreaterThan(2)
    expect(Math.max(...pauses)).toBeLessThan(2 ** 18 + 100)
  })

  it("does not take junk for what was lost elsewhere", () => {
    const { gaps } = salvage([line(1), "junk", line(2), ...lines.slice(3)])
    expect(gaps).toMatchObject([
      { line: 2, reason: "the line is no JSON" },
      { line: 4, byteLength: 0, seqs: { from: 2, to: 2 } },
    ])
    expect(gaps[0]).not.toHaveProperty("seqs")
  })

  it("reads the row that was glued to a torn one", () => {
    const torn = line(2).slice(0, 30)
    const { events, gaps } = salvage([line(1), torn + line(3), ...lines.slice(3)])
    expect(events).toEqual(small.filter(({ seq }) => seq !== 1))
    expect(gaps).toMatchObject([
      { line: 2, byteOffset: offsetOf(2), byteLength: 30, seqs: { from: 1, to: 1 } },
    ])
  })

  it("keeps a last line that is whole but for its line feed, and names one that is not", () => {
    expect(salvage(text.trimEnd())).toMatchObject({ events: small, gaps: [] })
    const { events, gaps } = salvage(text.slice(0, -10))
    expect(events).toEqual(small.slice(0, -1))
    expect(gaps).toEqual([
      {
        line: lines.length,
        byteOffset: offsetOf(lines.length),
        byteLength: bytes(line(lines.length)).length - 9,
        reason: "the log ends within the line; the line is no JSON",
      },
    ])
  })

  it("puts lines in order, and names those that it leaves out because their number was there before", () => {
    const swapped = [line(1), line(3), line(2), ...lines.slice(3), line(2)]
    const { events, gaps } = salvage(swapped)
    expect(events).toEqual(small)
    expect(gaps).toMatchObject([{ line: lines.length + 1, byteLength: bytes(line(2)).length }])
    expect(gaps[0]?.reason).toMatch(/^seq 1 stands earlier/)
  })

  it("names a row that is JSON but no event, with what is wrong with it", () => {
    const wrong = '{"seq":1,"at":1,"type":"user/message","data":{"messageId":"m"}}'
    const { gaps } = salvage([line(1), wrong, ...lines.slice(2)])
    expect(gaps).toMatchObject([{ line: 2, seqs: { from: 1, to: 1 } }])
    expect(gaps[0]?.reason).toMatch(/user\/message: .*content/s)
  })

  it("reads what it can of a log of a later version", () => {
    const later = '{"seq":0,"at":1,"type":"session/start","data":{"version":2,"id":"s","mood":"good"}}'
    const { version, events, gaps } = salvage([later, "nonsense", ...lines.slice(2)])
    expect(version).toBe(2)
    expect(events[0]).toMatchObject({ type: "~2:session/start", data: { mood: "good" } })
    expect(events.slice(1)).toEqual(small.slice(2))
    expect(gaps).toMatchObject([{ line: 2, seqs: { from: 1, to: 1 } }])
  })

  it("finds nothing in nothing, and in what was never a log", () => {
    expect(salvage("")).toEqual({ version: 1, events: [], gaps: [], unbroken: 0 })
    expect(Salvage.salvage(new Uint8Array(1000).fill(0xff))).toMatchObject({
      events: [],
      gaps: [{ line: 1, byteOffset: 0, byteLength: 1000 }],
    })
  })
})
