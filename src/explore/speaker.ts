/**
 * A model whose pieces come when the schedule says, or do not come.
 *
 * In:  a script, or any model.      Out: the `Model` port for one process.
 * Fails with: what the model fails with; `ModelInterrupted` where the schedule cuts the stream. A request too many is a
 * defect of the model, unless the world asks for an empty answer.
 * Order: a script goes by the answers that the history holds, so a step that broke off is said again.
 */
import { Effect, Stream } from "effect"
import type { Model, ModelRequest } from "../model/Model.ts"
import { ModelInterrupted } from "../model/ModelError.ts"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import type { Course } from "./course.ts"
import type { Machine } from "./machine.ts"

export const speaker = (course: Course, machine: Machine): Model["Service"] => {
  const { world, left, tell } = course
  const { name, stream } = "steps" in world.model ? script(course, world.model) : world.model
  const next = <A>(chunk: A) =>
    machine.wait(() => {
      if (machine.choices.choose("chunk", left.cuts > 0 ? 2 : 1) === 0) return Effect.succeed(chunk)
      left.cuts -= 1
      tell.say("the model's stream breaks off")
      return Effect.fail(new ModelInterrupted({ message: "the stream broke off" }))
    })
  const asked = (request: ModelRequest) =>
    Stream.suspend(() => {
      course.requests += 1
      return stream(request)
    })
  return { name, stream: (request) => Stream.mapEffect(asked(request), next) }
}

const script = ({ world, tell }: Course, { steps }: ScriptedModel.Plan): Model["Service"] => ({
  name: "script:explored",
  stream: (request) => {
    const answered = request.messages.filter(({ role }) => role === "assistant").length
    if (answered < steps.length || world.whenUsedUp === "empty")
      return ScriptedModel.make({ steps: steps.slice(answered) }).model.stream(request)
    const tooMany = `the script has ${steps.length} ${steps.length === 1 ? "step" : "steps"}, and was asked for another`
    tell.say(tooMany)
    return Stream.die(new Error(tooMany))
  },
})
