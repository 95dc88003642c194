import { readFileSync } from "node:fs"
import { Result } from "effect"
import { LogFile } from "effect-harness"
import { Verifier } from "effect-harness/invariants"

const bytes = readFileSync(new URL("logs/unlawful.jsonl", import.meta.url))
const log = Result.getOrThrow(LogFile.parse(bytes)) // a CorruptLog names line and byte

for (const { rule, seq, message } of Verifier.verify(log.events)) {
  console.log(`${rule} at seq ${seq}: ${message}`)
}
