/**
 * What a second call is worth, by the code of what was thrown.
 *
 * In:  a code of `findCode.ts`.      Out: a `Retry`; nothing when the code does not tell.
 * Fails with: nothing.
 * Not here: errors that say it themselves (`HarnessError.retry`), the words for a model (`tool/describe.ts`).
 * Source: Node "Common system errors", RFC 9110 §15 and RFC 6585 (HTTP status), PostgreSQL appendix A (SQLSTATE), Prisma "Error codes".
 */
import type { Retry } from "./HarnessError.ts"

/** The most telling first: a code is of the first kind that it fits. */
const kinds: ReadonlyArray<readonly [Retry, RegExp]> = [
  // Passes by itself: busy, unreachable, too slow, or lost to another transaction.
  [
    "later",
    /^(EAGAIN|EBUSY|ETIMEDOUT|EPIPE|ECONN\w+|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|EAI_AGAIN|EMFILE|ENFILE|UND_ERR_\w+|TIMEOUT(_\w+)?|HTTP_(408|425|429)|HTTP_5(?!0[15])\d\d|SQLSTATE_(08|40|53|55|57)\w+|P1001|P1002|P1008|P2024|P2034)$/,
  ],
  // Who asks may not, or what is asked cannot be done here.
  [
    "never",
    /^(EACCES|EPERM|EROFS|ENOSYS|ENOTSUP|HTTP_(401|402|403|407|451|501|505)|SQLSTATE_(28\w+|42501))$/,
  ],
  // Something in the call is not right: a name, a number, a form.
  [
    "now",
    /^(ENOENT|EEXIST|EINVAL|EISDIR|ENOTDIR|ENOTEMPTY|ENAMETOOLONG|E2BIG|EDOM|ERANGE|ENOTFOUND|ERR_INVALID_\w+|ERR_OUT_OF_RANGE|VALIDATION_FAILED|(\w+_)?(ZOD|VALI|VALIDATION|SCHEMA)_ERROR|HTTP_4\d\d|SQLSTATE_(22|23|42)\w+|P2002|P2003|P2025)$/,
  ],
]

export const retryOf = (code: string): Retry | undefined => kinds.find(([, fits]) => fits.test(code))?.[0]
