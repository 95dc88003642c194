/**
 * A model whose pieces come when the schedule says, or do not come.
 *
 * In:  a script, or any model.      Out: the `Model` port for one process.
 * Fails with: what the model fails with; `ModelInterrupted` where the schedule cuts the stream.
 * Order: a script goes by the answers that the history holds, so a step that broke off is said again.
 */
import { Effect, Stream } from "effect"
import type { Model } from "../model/Model.ts"
import { ModelInterrupted } from "../model/ModelError.ts"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import type { Machine } from "./machine.ts"
import type { Left } from "./medium.ts"
import type { Tell } from "./story.ts"

export const speaker = (
  model: ScriptedModel.Plan | Model["Service"],
  machine: Machine,
  left: Left,
  tell: Tell,
): Model["Service"] => {
  const { name, stream } = "steps" in model ? script(model) : model
  const next = <A>(chunk: A) =>
    machine.wait(() => {
      if (machine.choices.choose("chunk", left.cuts > 0 ? 2 : 1) === 0) return Effect.succeed(chunk)
      left.cuts -= 1
      tell.say("the model's stream breaks off")
      return Effect.fail(new ModelInterrupted({ message: "the stream broke off" }))
    })
  return { name, stream: (request) => Stream.mapEffect(stream(request), next) }
}

const script = ({ steps }: ScriptedModel.Plan): Model["Service"] => ({
  name: "script:explored",
  stream: (request) => {
    const answered = request.messages.filter(({ role }) => role === "assistant").length
    return ScriptedModel.make({ steps: steps.slice(answered) }).model.stream(request)
  },
})
