/** Everything that a neighbour is given: what to work on, and how sessions are measured. */
import { args, coldSpecs } from "./args.ts"
import { crowd } from "./crowd.ts"
import { costAt, growthOf, inSessions } from "./growth.ts"
import * as script from "./script.ts"

export const inputs = { args, coldSpecs, script, sessions: { costAt, crowd, growthOf, inSessions } }
