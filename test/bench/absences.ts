/** Which neighbours are not in a row where one would look for them, and why; the page prints it. */
export interface Absence {
  readonly row: string
  /** Names of contenders are left out where the kept run has them. */
  readonly peers: ReadonlyArray<string>
  readonly reason: string
}

const rebuilds = "its history is copied or checked again at every step; such a session takes minutes"
const alone = "the kept run was of the floor and ours alone"
const away = "not installed here, so not measured"
const untried = "whether they end within the five minutes that a process has was not tried"
const noLog = "those measured here have no log of events that the work could be done with alone"
const notHere = "it has such a log, but is not installed here, so not measured"

export const absences: ReadonlyArray<Absence> = [
  { row: "decode", peers: ["DeepSeek Harness"], reason: away },
  {
    row: "call",
    peers: ["ai"],
    reason: "its public functions run a tool only inside a generation; its inner path is not measured here",
  },
  { row: "call", peers: ["MCP", "DeepSeek Harness"], reason: away },
  { row: "loop", peers: ["DeepSeek Harness"], reason: away },
  { row: "growth", peers: ["ai", "effect-ai", "langgraph", "mastra", "openai-agents", "pi"], reason: alone },
  { row: "growth", peers: ["ai after 10,000 steps"], reason: rebuilds },
  { row: "growth", peers: ["effect-ai after 10,000 steps"], reason: rebuilds },
  { row: "growth", peers: ["openai-agents, mastra and langgraph after 1,000 steps"], reason: rebuilds },
  {
    row: "growth",
    peers: ["the neighbours in memory a step"],
    reason:
      "they hand their history over when a session ends, and what else they hold cannot be told from outside",
  },
  {
    row: "many",
    peers: ["ai"],
    reason: "its thousand agents do not end within the five minutes that a process has, on two cores",
  },
  { row: "many", peers: ["langgraph", "mastra", "openai-agents"], reason: untried },
  { row: "many", peers: ["effect-ai", "pi"], reason: alone },
  { row: "append", peers: ["a neighbour"], reason: noLog },
  { row: "append", peers: ["DeepSeek Harness"], reason: notHere },
  { row: "jsonl", peers: ["a neighbour"], reason: noLog },
  { row: "jsonl", peers: ["DeepSeek Harness"], reason: notHere },
  { row: "resume", peers: ["a neighbour"], reason: noLog },
  { row: "resume", peers: ["DeepSeek Harness"], reason: notHere },
  {
    row: "check",
    peers: ["a neighbour"],
    reason: "no check of a stored log was found in those measured here",
  },
  {
    row: "memory",
    peers: ["a neighbour"],
    reason: "not measured here",
  },
  {
    row: "start",
    peers: ["a neighbour"],
    reason: "the command lines and packages of others are not measured here",
  },
]
