/** All rows, in the order of the page; one file each. */
import type { Row } from "./Row.ts"
import { append } from "./rows/append.ts"
import { toolCall } from "./rows/call.ts"
import { check } from "./rows/check.ts"
import { cold } from "./rows/cold.ts"
import { decode } from "./rows/decode.ts"
import { growth } from "./rows/growth.ts"
import { jsonl } from "./rows/jsonl.ts"
import { loop } from "./rows/loop.ts"
import { many } from "./rows/many.ts"
import { memory } from "./rows/memory.ts"
import { resume } from "./rows/resume.ts"
import { start } from "./rows/start.ts"
import { stream } from "./rows/stream.ts"

export const rows: ReadonlyArray<Row> = [
  decode,
  cold,
  toolCall,
  loop,
  growth,
  many,
  append,
  jsonl,
  resume,
  stream,
  check,
  memory,
  start,
]
