/**
 * How an event or a whole log can be unacceptable.
 *
 * Not here: trouble with the medium (`store/StoreError.ts`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** An append that would break an always-on rule. Nothing was logged; the session goes on. */
export class EventRejected extends HarnessError.extend<EventRejected>("EventRejected")({
  _tag: Schema.tag("EventRejected"),
  rule: Schema.String,
  type: Schema.String,
}) {
  readonly code = "EVENT_REJECTED"
  readonly retry = "never"
}

/** A stored log that an always-on rule refuses. The session is not opened; the file stays as it is. */
export class CorruptLog extends HarnessError.extend<CorruptLog>("CorruptLog")({
  _tag: Schema.tag("CorruptLog"),
  rule: Schema.String,
  /** 1-based line, when the log is a file. */
  line: Schema.optionalKey(Schema.Int),
  /** Units: bytes from the start of the file to the start of that line. */
  byteOffset: Schema.optionalKey(Schema.Int),
}) {
  readonly code = "CORRUPT_LOG"
  readonly retry = "never"
}

/** Say of a stored log what a rule refuses, where, and what can be done about it. */
export const corruptLog = (
  rule: string,
  message: string,
  place?: { readonly line: number; readonly byteOffset: number },
): CorruptLog => {
  const where = place === undefined ? "" : `line ${place.line} (byte ${place.byteOffset}): `
  return new CorruptLog({
    rule,
    ...place,
    message: `${where}${message}; "effect-harness check" names all that is wrong, "salvage" keeps what can be read`,
  })
}

/** A log of a later format. It can be read by a later version of this package; nothing is written to it. */
export class UnsupportedLogVersion extends HarnessError.extend<UnsupportedLogVersion>(
  "UnsupportedLogVersion",
)({
  _tag: Schema.tag("UnsupportedLogVersion"),
  found: Schema.Int,
  supported: Schema.Int,
}) {
  readonly code = "UNSUPPORTED_LOG_VERSION"
  readonly retry = "never"
}
