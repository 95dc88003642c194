import { Effect } from "effect"
import { Approver, defineTool, Guard, Tool } from "effect-harness"

const removeFile = defineTool({
  name: "remove_file",
  description: "Remove a file.",
  parameters: { path: { type: "string", required: true } },
  run: ({ path }) => Effect.succeed(`removed ${path}`), // yours really does
})

/** Look at the arguments of one tool, typed as its body reads them. */
const careful = Guard.forTool(removeFile, ({ path }) =>
  path.startsWith(".git/")
    ? Guard.deny("the history of the project is kept")
    : Guard.ask("a removed file does not come back"),
)

/** Somebody who answers an `ask`; without one, the answer is no. */
const person: Approver.Approver = ({ args, reason }) => {
  console.log(`asked: ${JSON.stringify(args)}, because ${reason}`)
  return Effect.succeed(Approver.allow)
}

const remove = (path: string) =>
  Tool.run(removeFile)(JSON.stringify({ path })).pipe(
    Effect.catchTag("ToolDenied", ({ reason }) => Effect.succeed(`denied: ${reason}`)),
  )

const guarded = Guard.layer(careful)
const answered = Approver.layer(person)

console.log(await Effect.runPromise(Effect.provide(remove(".git/config"), guarded)))
console.log(await Effect.runPromise(Effect.provide(remove("notes.txt"), guarded)))
console.log(await Effect.runPromise(Effect.provide(remove("notes.txt"), [guarded, answered])))
