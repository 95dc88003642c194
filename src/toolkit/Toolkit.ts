/**
 * The tools that come with the harness, put together.
 *
 * In:  nothing.      Out: toolboxes that need a `Workspace` and the platform's services.
 * Not here: the tools (one file each), the folder that they may touch (`Workspace.ts`), who may call them (`policy/Guard.ts`).
 */
import * as Toolbox from "../tool/Toolbox.ts"
import { editFile } from "./EditFile.ts"
import { listFiles } from "./ListFiles.ts"
import { readFile } from "./ReadFile.ts"
import { runCommand } from "./RunCommand.ts"
import { searchText } from "./SearchText.ts"
import { writeFile } from "./WriteFile.ts"

/** Look, and change nothing. */
export const readOnly = Toolbox.make(readFile, listFiles, searchText)

/** Look at files and change them. */
export const files = Toolbox.make(readFile, listFiles, searchText, writeFile, editFile)

/** Files and commands. */
export const all = Toolbox.make(readFile, listFiles, searchText, writeFile, editFile, runCommand)

/** Names of the tools that can change something: those that a person may want to be asked about. */
export const changing: ReadonlyArray<string> = [writeFile.name, editFile.name, runCommand.name]

/** Tell whether a tool of this room changes nothing, whatever its arguments. */
export const isReadOnly = (name: string): boolean => readOnly.tools.has(name)
