/** What a model reads of a call that ended badly, sentence by sentence. */
import { expect, describe as group, it } from "vitest"
import { adviceFor, describe, type Ending } from "../../src/tool/describe.ts"
import { ToolArgsInvalid, ToolArgsMalformed, ToolFailed, ToolTimedOut } from "../../src/tool/ToolError.ts"

const now = "Correct the call and make it again."
const later = "The same call may work later."

const say = (outcome: Ending["outcome"], message: string, more: Partial<Ending> = {}) =>
  describe({
    tool: "dig",
    outcome,
    foreign: { name: "Error", code: "EIO", message },
    error: undefined,
    attempts: 1,
    ...more,
  })
const timedOut = (mayStillRun?: boolean) =>
  new ToolTimedOut({
    message: "m",
    tool: "dig",
    timeoutMillis: 1,
    ...(mayStillRun !== undefined && { mayStillRun }),
  })

group("a model reads", () => {
  it("what was refused before it ran", () => {
    expect(say("unknown-tool", "There is none.")).toBe(`There is none. Nothing ran. ${now}`)
    const malformed = new ToolArgsMalformed({ message: "m", tool: "dig" })
    expect(say("rejected", "No JSON.", { error: malformed })).toBe("dig was not called. No JSON.")
    const invalid = new ToolArgsInvalid({ message: "m", tool: "dig", violations: [] })
    for (const error of [invalid, undefined, { ...malformed }]) {
      expect(say("rejected", "- a: missing", { error })).toBe(
        `The arguments of dig were refused, and nothing ran.\n- a: missing\n${now}`,
      )
    }
  })

  it("a denial as a sentence, however it ends", () => {
    const rest = "Nothing ran. Do not make this call again unless the user asks for it."
    for (const [given, told] of [
      ["no", "no."],
      ["no.", "no."],
      ["no!", "no."],
      ["v1.2 no", "v1.2 no."],
    ] as const)
      expect(say("denied", given)).toBe(`${told} ${rest}`)
  })

  it("what failed, after how many runs", () => {
    const gone = "The same call helps only when the reason for this is gone."
    expect(say("failed", "disk", { attempts: 1 })).toBe(
      `dig failed (EIO): disk\n${adviceFor(undefined, "EIO")}`,
    )
    expect(say("failed", "disk", { attempts: 3 })).toMatch(/^dig failed after 3 runs \(EIO\): disk\n/)
    expect(adviceFor(undefined, "NOBODY_KNOWS")).toBe(gone)
    expect(adviceFor(undefined, "ENOENT")).toBe(now)
    // A class that stands for a foreign error says nothing of its own.
    const foreign = new ToolFailed({ message: "m", tool: "dig", code: "ENOENT" })
    expect(adviceFor(foreign, "ENOENT")).toBe(now)
    expect(adviceFor(timedOut(), "ENOENT")).toBe(later)
    expect(say("defect", "bug")).toMatch(
      /^dig broke \(EIO\): bug\nThis is a fault in the tool, not in the call\. The same call would end the same way\.$/,
    )
  })

  it("what was stopped, and what may still go on", () => {
    expect(say("timed-out", "Late.", { error: timedOut(), attempts: 0 })).toBe(
      `Late. It was still waiting for its turn, and nothing ran. ${later}`,
    )
    expect(say("timed-out", "Late.", { error: timedOut() })).toBe(
      `Late. It was stopped and may have done a part of its work. ${later}`,
    )
    expect(say("timed-out", "Late.", { error: timedOut(false), attempts: 2 })).toBe(
      `Late. It was stopped after 2 runs and may have done a part of its work. ${later}`,
    )
    expect(say("timed-out", "Late.", { error: timedOut(true), attempts: 2 })).toBe(
      `Late. It was told to stop after 2 runs, has not ended yet, and may still do its work. ${later}`,
    )
    expect(say("timed-out", "Late.", { error: { mayStillRun: true } })).toContain("It was stopped")
    expect(say("interrupted-before-start", "Stopped.")).toBe(`Stopped. ${later}`)
    expect(say("not-started", "busy")).toBe(`busy. Nothing ran. ${later}`)
    expect(say("interrupted", "cut")).toBe("cut. Find out what it did before you make the call again.")
    expect(say("outcome-unknown", "Nobody knows.")).toBe("Nobody knows.")
  })
})
