import { Effect, Layer } from "effect"
import { Approver, defineTool, Guard, Tool } from "effect-harness"

const removeFile = defineTool({
  name: "remove_file",
  description: "Remove a file.",
  parameters: { path: { type: "string", required: true } },
  run: ({ path }) => Effect.succeed(`removed ${path}`), // yours really does
})

/** Look at the name of the tool, and at its decoded arguments. */
const careful: Guard.Guard = ({ tool, args }) => {
  if (tool !== "remove_file") return Effect.succeed(Guard.allow)
  const path = JSON.stringify(args)
  if (path.includes(".git")) return Effect.succeed(Guard.deny("the history of the project is kept"))
  return Effect.succeed(Guard.ask("a removed file does not come back"))
}

/** Somebody who answers an `ask`; without one, the answer is no. */
const person: Approver.Approver = ({ args, reason }) => {
  console.log(`asked: ${JSON.stringify(args)}, because ${reason}`)
  return Effect.succeed({ _tag: "allow" })
}

const remove = (path: string) =>
  Tool.run(removeFile)(JSON.stringify({ path })).pipe(
    Effect.catchTag("ToolDenied", ({ reason }) => Effect.succeed(`denied: ${reason}`)),
  )

const guarded = Guard.layer(careful)
const answered = Layer.succeed(Approver.Approver, person)

console.log(await Effect.runPromise(Effect.provide(remove(".git/config"), guarded)))
console.log(await Effect.runPromise(Effect.provide(remove("notes.txt"), guarded)))
console.log(await Effect.runPromise(Effect.provide(remove("notes.txt"), [guarded, answered])))
