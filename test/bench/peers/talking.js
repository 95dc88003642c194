/**
 * The lines about sessions, for whoever can run one.
 *
 * In:  how to load a package; what it gives runs a session of so many steps, and tells of each request of its model.
 */

const later =
  (load, measure) =>
  async ({ script, sessions }) => {
    const run = (await load())(script)
    return measure(sessions, run)
  }

/** Those with `longest` are not asked for longer sessions: their cost grows too fast. */
export const talking = (load, { longest = 10_000 } = {}) => ({
  "loop/memory": later(load, ({ inSessions }, run) => inSessions((steps) => run(steps))),
  "loop/growth": later(load, ({ growing }, run) => growing(run)()),
  "many/step": later(load, ({ crowd }, run) => crowd(run)),
  "many/memory": later(load, ({ crowdHeap }, run) => crowdHeap(run)),
  ...Object.fromEntries(
    [10, 100, 1000, 10_000]
      .filter((length) => length <= longest)
      .map((length) => [`growth/${length}`, later(load, ({ costAt }, run) => costAt(run, length)())]),
  ),
})
