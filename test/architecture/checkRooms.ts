/**
 * Whether every import goes where the plan allows, to something that may be seen, and never in a circle.
 *
 * In:  modules and the plan.      Out: faults.
 * Not here: entry points (`checkDoors.ts`).
 */
import { posix } from "node:path"
import type { Fault, Import, Module } from "./Module.ts"
import type { Outside, Plan, Room } from "./rooms.ts"

const matches = (pattern: string, specifier: string): boolean =>
  pattern.endsWith("*")
    ? specifier.startsWith(pattern.slice(0, -1))
    : specifier === pattern || specifier.startsWith(`${pattern}/`)

/** Tell whether one of the patterns names the module. */
export const isAmong = (patterns: ReadonlyArray<string>, specifier: string): boolean =>
  patterns.some((pattern) => matches(pattern, specifier))

/** Effect's stable core: the barrel and its capitalised modules. */
const isCore = (specifier: string): boolean => /^effect(\/[A-Z]\w*)?$/.test(specifier)

const isAllowedOutside = (room: Room, module: Module, specifier: string): boolean =>
  room.outside.some(
    (outside) =>
      matches(outside.module, specifier) &&
      (typeof outside.where === "string" || outside.where.file === posix.basename(module.path)),
  )

const checkImport = (plan: Plan, module: Module, room: Room, found: Import): Array<Omit<Fault, "file">> => {
  const { specifier, line, target } = found
  if (target === undefined) {
    if (isCore(specifier) || isAllowedOutside(room, module, specifier)) return []
    return [{ rule: "room.outside", line, message: `${module.room} may not use ${specifier} here` }]
  }
  const other = /^src\/([^/]+)\//.exec(target)?.[1]
  if (other === undefined) {
    return [{ rule: "room.allowed", line, message: `a room does not import ${target}` }]
  }
  if (other !== module.room && !room.imports.includes(other)) {
    return [{ rule: "room.allowed", line, message: `${module.room} may not import ${other} (${specifier})` }]
  }
  if (other !== module.room && /^[a-z]/.test(posix.basename(target))) {
    return [{ rule: "room.visibility", line, message: `${target} is private to its folder` }]
  }
  return plan.rooms[other] === undefined
    ? [{ rule: "room.known", line, message: `the plan has no room ${other}` }]
    : []
}

/** Modules "one file" of a room may use, and who uses them. */
const checkOneFile = (name: string, outside: Outside, modules: ReadonlyArray<Module>): Array<Fault> => {
  if (outside.where !== "one file") return []
  const users = modules.filter(
    (module) =>
      module.room === name && module.imports.some(({ specifier }) => matches(outside.module, specifier)),
  )
  return users.slice(1).map((module) => ({
    rule: "room.oneFile",
    file: module.path,
    line: 0,
    message: `${outside.module} is behind one file of ${name} already: ${users[0]?.path}`,
  }))
}

/** Check the imports of every file that stands in a room. */
export const checkRooms = (plan: Plan, modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => [
  ...modules.flatMap((module): ReadonlyArray<Fault> => {
    if (module.room === undefined) return []
    const room = plan.rooms[module.room]
    if (room === undefined) {
      return [
        { rule: "room.known", file: module.path, line: 0, message: `the plan has no room ${module.room}` },
      ]
    }
    return module.imports
      .flatMap((found) => checkImport(plan, module, room, found))
      .map((fault) => ({ ...fault, file: module.path }))
  }),
  ...Object.entries(plan.rooms).flatMap(([name, room]) =>
    room.outside.flatMap((outside) => checkOneFile(name, outside, modules)),
  ),
]

/** Check that relative imports name a file as it is called on disk. */
export const checkTargets = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => {
  const paths = new Set(modules.map((module) => module.path))
  return modules.flatMap((module) =>
    module.imports.flatMap(
      ({ line, specifier, target }): ReadonlyArray<Fault> =>
        target === undefined || !target.startsWith("src/") || paths.has(target)
          ? []
          : [{ rule: "import.target", file: module.path, line, message: `${specifier} names no file` }],
    ),
  )
}

/** Check that no file imports itself by whatever way; types count. One fault a circle, at its first file. */
export const checkCycles = (modules: ReadonlyArray<Module>): ReadonlyArray<Fault> => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const done = new Set<string>()
  const faults: Array<Fault> = []
  const walk = (path: string, trail: ReadonlyArray<string>): void => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      const circle = [...trail.slice(at), path]
      faults.push({ rule: "import.cycle", file: path, line: 0, message: circle.join(" → ") })
      return
    }
    if (done.has(path)) return
    for (const { target } of byPath.get(path)?.imports ?? []) {
      if (target !== undefined) walk(target, [...trail, path])
    }
    done.add(path)
  }
  for (const module of modules) walk(module.path, [])
  return faults
}
