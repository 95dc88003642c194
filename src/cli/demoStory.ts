/**
 * What the demo plays: a small workspace, one tool with a bug, and a model that makes the mistakes models make.
 *
 * In:  nothing.      Out: files, a prompt, a tool and a script.
 * Not here: playing it (`demo.ts`).
 */
import { Effect } from "effect"
import type { Script } from "../model/ScriptedModel.ts"
import { defineTool } from "../tool/Tool.ts"

/** Path in the workspace → text. */
export const files: Readonly<Record<string, string>> = {
  "notes/garden.md": `# Garden
The beans are up.
TODO: order tomato seeds
TODO: mend the fence
`,
  "notes/release.md": `# Release 0.1
Changelog is written.
TODO: tag the release
Docs are built.
TODO: tell the list
`,
  "notes/trip.md": `# Trip
Tickets are booked. Nothing left to do.
`,
}

export const prompt = "Collect every TODO of my notes in TODO.md, one line each, with the file it comes from."

/** It has a bug on purpose: it reads a field of something that is not there. */
export const estimateHours = defineTool({
  name: "estimate_hours",
  description: "Estimate how long a task takes.",
  parameters: { task: { type: "string", required: true } },
  run: ({ task }) =>
    Effect.sync(() => {
      const table: { readonly [task: string]: { readonly hours: number } } = JSON.parse("{}")
      return (table[task] as { readonly hours: number }).hours
    }),
})

const call = (name: string, args: object, id: string) => ({ id, name, arguments: JSON.stringify(args) })
const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens })

const todo = `- [ ] order tomato seeds (notes/garden.md)
- [ ] mend the fence (notes/garden.md)
- [ ] tag the release (notes/release.md)
- [ ] tell the list (notes/release.md)
`

export const script: Script = {
  steps: [
    {
      reasoning: "I need the names of the notes first.",
      text: "Let me see which notes there are.",
      calls: [call("list_files", { pattern: "notes/*.md" }, "call-1")],
      usage: usage(412, 31),
    },
    {
      text: "I'll read one to see how TODOs are written.",
      calls: [call("read_file", { pth: "notes/release.md" }, "call-2")],
      usage: usage(498, 18),
    },
    {
      calls: [call("read_file", { path: "notes/release.md", limit: "20" }, "call-3")],
      usage: usage(561, 34),
    },
    { calls: [call("read_file", { path: "notes/release.md", limit: 20 }, "call-4")], usage: usage(640, 22) },
    {
      text: "There may be more notes.",
      calls: [
        call("read_file", { path: "notes/gardn.md" }, "call-5"),
        call("read_file", { path: "../diary.md" }, "call-6"),
      ],
      usage: usage(727, 47),
    },
    { calls: [call("serch_text", { query: "TODO" }, "call-7")], usage: usage(850, 17) },
    {
      text: "Searching them all, and asking how long the first one takes.",
      calls: [
        call("search_text", { query: "TODO:", glob: "notes/*.md" }, "call-8"),
        call("estimate_hours", { task: "mend the fence" }, "call-9"),
      ],
      usage: usage(931, 52),
    },
    {
      text: "No estimate then; the list does not need it.",
      calls: [call("write_file", { path: "TODO.md", content: todo }, "call-10")],
      usage: usage(1108, 96),
    },
    { text: "TODO.md lists four open tasks from two notes; trip.md has none.", usage: usage(1240, 21) },
  ],
}
