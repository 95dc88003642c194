/** Everything that a neighbour is given: what to work on, and how sessions are measured. */
import { args, coldSpecs } from "./args.ts"
import { crowd, crowdHeap } from "./crowd.ts"
import { costAt, growing, inSessions } from "./growth.ts"
import { hearing, waitingFor } from "./hearing.ts"
import * as script from "./script.ts"

export const inputs = {
  args,
  coldSpecs,
  hearing,
  script,
  waitingFor,
  sessions: { costAt, crowd, crowdHeap, growing, inSessions },
}
