/** Everything that a neighbour is given to work on. */
import { args, coldSpecs } from "./args.ts"
import * as script from "./script.ts"

export const inputs = { args, coldSpecs, script }
