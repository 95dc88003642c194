/**
 * Which file of a directory is the log of an id: `<id>~<n>.jsonl` with the highest n, or `<id>.jsonl`.
 *
 * In:  names.      Out: `LogName`; the number of a plain name is 0.
 * Source: PROTOCOL "One writer": a file that may still have another writer is copied to the next number, never renamed.
 */
import { isId } from "./SessionStore.ts"

export interface LogName {
  readonly id: string
  /** The number of the lease under which the file was begun; 0 for the first. */
  readonly number: number
  readonly name: string
}

const extension = ".jsonl"
const pattern = /^([^~]*)(?:~([1-9]\d{0,14}))?\.jsonl$/

export const nameLog = (id: string, number: number): string =>
  `${encodeURIComponent(id)}${number === 0 ? "" : `~${number}`}${extension}`

export const nameLeases = (id: string): string => `${encodeURIComponent(id)}.lease`

/** Every file that is or was the log of an id, the newest first. */
export const findLogs = (names: ReadonlyArray<string>): ReadonlyArray<LogName> =>
  names.flatMap(parseName).sort((a, b) => b.number - a.number)

/** Those of one id, the newest first: of thousands of names only its own are taken apart. */
export const findLogsOf = (names: ReadonlyArray<string>, id: string): ReadonlyArray<LogName> =>
  findLogs(names.filter((name) => name.startsWith(id))).filter((log) => log.id === id)

const parseName = (name: string): ReadonlyArray<LogName> => {
  const [, id = "", number = "0"] = pattern.exec(name) ?? []
  return isId(id) ? [{ id, number: Number(number), name }] : []
}
