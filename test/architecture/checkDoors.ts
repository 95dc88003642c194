/**
 * Whether the entry points export what the plan says, reach nothing they must not, and are the only barrels.
 *
 * In:  modules and the plan.      Out: faults.
 */
import { posix } from "node:path"
import type { ExportNamedDeclaration } from "oxc-parser"
import { isAmong } from "./checkRooms.ts"
import { type Fault, type Module, visit } from "./Module.ts"
import type { Door, Plan } from "./rooms.ts"

/** Every module that a file reaches, with the way to it; the file itself included. */
export const reach = (
  modules: ReadonlyMap<string, Module>,
  start: string,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const ways = new Map<string, ReadonlyArray<string>>([[start, [start]]])
  for (const [path, way] of ways) {
    for (const { target } of modules.get(path)?.imports ?? []) {
      if (target !== undefined && !ways.has(target)) ways.set(target, [...way, target])
    }
  }
  return ways
}

const checkReach = (
  door: Door,
  module: Module,
  modules: ReadonlyMap<string, Module>,
): ReadonlyArray<Fault> => {
  const fault = (message: string): Fault => ({ rule: "door.reach", file: module.path, line: 0, message })
  return [...reach(modules, module.path)].flatMap(([path, way]) => {
    const reached = modules.get(path)
    if (reached?.room !== undefined && door.neverReaches.includes(reached.room)) {
      return [fault(`reaches ${reached.room}: ${way.join(" → ")}`)]
    }
    return (reached?.imports ?? [])
      .filter(({ specifier, target }) => target === undefined && isAmong(door.neverNeeds, specifier))
      .map(({ specifier }) => fault(`needs ${specifier}: ${way.join(" → ")}`))
  })
}

const checkExports = (door: Door, module: Module): ReadonlyArray<Fault> =>
  module.imports.flatMap(({ line, specifier, target }): ReadonlyArray<Fault> => {
    const room = target === undefined ? undefined : /^src\/([^/]+)\//.exec(target)?.[1]
    if (room === undefined || !door.exports.includes(room)) {
      return [{ rule: "door.exports", file: module.path, line, message: `does not stand for ${specifier}` }]
    }
    return /^[a-z]/.test(posix.basename(specifier))
      ? [{ rule: "room.visibility", file: module.path, line, message: `${target} is private to its folder` }]
      : []
  })

const checkOnlyExports = (module: Module): ReadonlyArray<Fault> =>
  module.program.body.flatMap((statement): ReadonlyArray<Fault> => {
    const passesOn =
      statement.type === "ExportAllDeclaration" ||
      (statement.type === "ExportNamedDeclaration" && statement.source !== null)
    return passesOn
      ? []
      : [
          {
            rule: "door.onlyExports",
            file: module.path,
            line: module.lineOf(statement.start),
            message: "an entry point only passes on",
          },
        ]
  })

/** Check the entry points. */
export const checkDoors = (plan: Plan, modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return modules.flatMap((module): ReadonlyArray<Fault> => {
    if (!/^src\/[^/]+$/.test(module.path)) return []
    const door = plan.doors[module.path]
    if (door === undefined) {
      return [{ rule: "door.known", file: module.path, line: 0, message: "the plan has no such entry point" }]
    }
    return [...checkExports(door, module), ...checkOnlyExports(module), ...checkReach(door, module, byPath)]
  })
}

/** Check that every public module of a room with a door can be had at one. */
export const checkComplete = (plan: Plan, modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => {
  const rooms = new Set(Object.values(plan.doors).flatMap((door) => door.exports))
  const shown = new Set(
    modules
      .filter((module) => plan.doors[module.path] !== undefined)
      .flatMap((module) => module.imports.map(({ target }) => target)),
  )
  return modules
    .filter(
      ({ path, room }) =>
        room !== undefined &&
        rooms.has(room) &&
        /^[A-Z]/.test(posix.basename(path)) &&
        !shown.has(path) &&
        !plan.withheld.includes(path),
    )
    .map(({ path }) => ({ rule: "door.complete", file: path, line: 0, message: "stands at no entry point" }))
}

/** A public module may give users a name for the types of its own private files; values stay where they are made. */
const isOwnType = (node: ExportNamedDeclaration): boolean =>
  node.exportKind === "type" && /^\.\/[a-z]\w*\.ts$/.test(node.source?.value ?? "")

/** Check that nothing inside a room passes on what another public module made. */
export const checkBarrels = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> =>
  modules.flatMap((module) => {
    if (module.room === undefined) return []
    const faults: Array<Fault> = []
    const imported = new Set<string>()
    const add = (start: number, what: string) =>
      faults.push({
        rule: "room.barrel",
        file: module.path,
        line: module.lineOf(start),
        message: `passes on ${what}; import it where it is made`,
      })
    visit(module, {
      ImportDeclaration: (node) => {
        for (const specifier of node.specifiers) imported.add(specifier.local.name)
      },
      ExportAllDeclaration: (node) => add(node.start, node.source.value),
      ExportNamedDeclaration: (node) => {
        if (node.source !== null && !isOwnType(node)) add(node.start, node.source.value)
        for (const { local } of node.specifiers) {
          if (node.source === null && local.type === "Identifier" && imported.has(local.name)) {
            add(node.start, local.name)
          }
        }
      },
    })
    return faults
  })
