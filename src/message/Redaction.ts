/**
 * What stands in place of a secret: a keyed digest, so that equal secrets are seen to be equal and none can be guessed.
 *
 * In:  a key, by default one that lives as long as the process.      Out: `Redaction`, a Reference.
 * Not here: what is secret (`spec/`), where secrets would be seen (`tool/`, `redaction/`).
 */
import { Context, Layer } from "effect"
import * as Digest from "./Digest.ts"

export interface Redaction {
  /** Name a secret. Shape: `hmac:` and 16 hex digits. */
  readonly digest: (secret: unknown) => string
}

/** Make digests by a key; who has the key can test a guess. */
export const make = (key: string | Uint8Array): Redaction => ({
  digest: (secret) => `hmac:${Digest.keyed(key, secret).slice(0, 16)}`,
})

/** Whose digests they are; by default their key is drawn when the first is made, and dies with the process. */
export const Redaction = Context.Reference<Redaction>("effect-harness/message/Redaction", {
  defaultValue: () => make(Digest.randomKey()),
})

/** Make digests by a key of your own, so that secrets can be compared between processes. */
export const layer = (key: string | Uint8Array): Layer.Layer<never> => Layer.succeed(Redaction, make(key))
