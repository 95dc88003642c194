/**
 * The process of one contender: does the work of one line, says what it cost, and ends.
 *
 * In:  a `Job` as its argument.      Out: a message to the parent: figures, or why there are none.
 */
import { pathToFileURL } from "node:url"
import { inputs } from "./inputs/all.ts"
import { type Effort, measure } from "./measure.ts"
import type { Peer, Work } from "./Row.ts"
import { rows } from "./rows.ts"

export interface Job extends Effort {
  readonly row: string
  readonly work: string
  readonly contender: "floor" | "ours" | { readonly peer: string }
}

export type Answer = { readonly figures: Readonly<Record<string, number>> } | { readonly failure: string }

const find = async ({ contender, row, work }: Job): Promise<Work> => {
  if (typeof contender === "object") {
    const { peer }: { peer: Peer } = await import(pathToFileURL(contender.peer).href)
    const make = peer.works[work]
    if (make === undefined) throw new Error(`${peer.name} does not do ${work}`)
    return make(inputs)
  }
  const make = rows.find(({ name }) => name === row)?.[contender][work]
  if (make === undefined) throw new Error(`no ${contender} of ${work}`)
  return make()
}

const answer = async (): Promise<Answer> => {
  try {
    const job: Job = JSON.parse(process.argv[2] ?? "")
    return { figures: await measure(await find(job), job) }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const said = await answer()
process.send?.(said, () => process.exit(0))
