/** All rows, in the order of the page; one file each. */
import type { Row } from "./Row.ts"
import { append } from "./rows/append.ts"
import { toolCall } from "./rows/call.ts"
import { decode } from "./rows/decode.ts"
import { jsonl } from "./rows/jsonl.ts"
import { loop } from "./rows/loop.ts"
import { resume } from "./rows/resume.ts"
import { stream } from "./rows/stream.ts"

export const rows: ReadonlyArray<Row> = [decode, toolCall, loop, append, jsonl, resume, stream]
