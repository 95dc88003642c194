import { Effect, Schema } from "effect"
import { defineTool, HarnessError, Tool } from "effect-harness"

/** Nothing has that title. A call with another title may work: `now`. */
class NoteMissing extends HarnessError.extend<NoteMissing>("NoteMissing")({
  _tag: Schema.tag("NoteMissing"),
  title: Schema.String,
}) {
  readonly code = "ENOENT"
  readonly retry = "now"
}

/** It is there, but not for this caller, and will not be: `never`. */
class NoteForbidden extends HarnessError.extend<NoteForbidden>("NoteForbidden")({
  _tag: Schema.tag("NoteForbidden"),
  title: Schema.String,
}) {
  readonly code = "EACCES"
  readonly retry = "never"
}

const notes = new Map([
  ["garden", { text: "Order tomato seeds.", isPrivate: false }],
  ["diary", { text: "Dear diary …", isPrivate: true }],
])

const readNote = defineTool({
  name: "read_note",
  description: "Read a note by its title.",
  parameters: { title: { type: "string", required: true } },
  run: ({ title }) =>
    Effect.gen(function* () {
      const note = notes.get(title)
      if (note === undefined) return yield* new NoteMissing({ title, message: `No note is called ${title}.` })
      if (note.isPrivate) return yield* new NoteForbidden({ title, message: `The note ${title} is private.` })
      return note.text
    }),
})

const read = (title: string) =>
  Tool.run(readNote)(JSON.stringify({ title })).pipe(
    Effect.catchTags({
      NoteMissing: ({ code, title }) => Effect.succeed(`${code}: write ${title} first`),
      NoteForbidden: ({ code, title }) => Effect.succeed(`${code}: ask the owner of ${title}`),
    }),
  )

for (const title of ["garden", "attic", "diary"]) {
  console.log(await Effect.runPromise(read(title)))
}
