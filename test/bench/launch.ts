/**
 * Give one contender a process of its own, and wait for its figures.
 *
 * In:  the built `contender.js`, a job.      Out: its answer. A process that dies answers with how it died;
 *      one that does not end is ended.
 */
import { fork } from "node:child_process"
import type { Answer, Job } from "./contender.ts"

const mostMillis = 300_000
const tooLong = `it still ran after ${mostMillis / 60_000} minutes`

export const launch = (script: string, job: Job): Promise<Answer> =>
  new Promise((resolve) => {
    const child = fork(script, [JSON.stringify(job)], {
      execArgv: ["--expose-gc"],
      timeout: mostMillis,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    })
    let complaint = ""
    let answer: Answer | undefined
    child.stderr?.on("data", (bytes) => {
      complaint = `${complaint}${bytes}`.slice(-4000)
    })
    child.on("message", (message: Answer) => {
      answer = message
    })
    child.on("close", (code, signal) =>
      resolve(
        answer ?? { failure: child.killed ? tooLong : `ended with ${signal ?? code}: ${complaint.trim()}` },
      ),
    )
  })
