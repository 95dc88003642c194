/** Which neighbours are not in a row where one would look for them, and why; the page prints it. */
export interface Absence {
  readonly row: string
  readonly peer: string
  readonly reason: string
}

const rebuilds = "its history is copied or checked again at every step; such a session takes minutes"

export const absences: ReadonlyArray<Absence> = [
  { row: "call", peer: "ai", reason: "it runs a tool only inside a generation" },
  { row: "growth", peer: "ai after 10,000 steps", reason: rebuilds },
  { row: "growth", peer: "effect-ai after 10,000 steps", reason: rebuilds },
  { row: "growth", peer: "openai-agents, mastra and langgraph after 1,000 steps", reason: rebuilds },
  {
    row: "growth",
    peer: "the neighbours in memory a step",
    reason:
      "they hand their history over when a session ends, and what else they hold cannot be told from outside",
  },
  { row: "append", peer: "a neighbour", reason: "none has a log that can be appended to alone" },
  { row: "jsonl", peer: "a neighbour", reason: "none writes events to a file in its packages" },
  { row: "resume", peer: "a neighbour", reason: "none derives a session from its log" },
  { row: "check", peer: "a neighbour", reason: "none checks a stored log" },
]
