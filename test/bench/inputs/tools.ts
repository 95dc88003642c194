/** The two tools of the script, as ours. */
import { Effect } from "effect"
import * as Tool from "../../../src/tool/Tool.ts"
import * as Toolbox from "../../../src/tool/Toolbox.ts"
import { smallSpec } from "./args.ts"
import { output } from "./script.ts"

const define = (name: "read" | "count") =>
  Tool.defineTool({
    name,
    description: `${name} a file`,
    parameters: smallSpec,
    // Safe to run again, so that nothing waits for a disk before it starts, as nobody else's tools do.
    idempotent: true,
    run: (args) => Effect.succeed(output(name, args)),
  })

export const toolbox = Toolbox.make(define("read"), define("count"))
