/** What the tools need and how they fail, to the letter. */
import type { FileSystem, Path } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { expectTypeOf } from "vitest"
import type * as Tool from "../../src/tool/Tool.ts"
import type * as Toolbox from "../../src/tool/Toolbox.ts"
import type { editFile } from "../../src/toolkit/EditFile.ts"
import type { runCommand } from "../../src/toolkit/RunCommand.ts"
import type * as Toolkit from "../../src/toolkit/Toolkit.ts"
import type * as Errors from "../../src/toolkit/ToolkitError.ts"
import type { Workspace } from "../../src/toolkit/Workspace.ts"

type Files = Workspace | FileSystem.FileSystem | Path.Path

expectTypeOf<typeof Toolkit.readOnly>().toEqualTypeOf<Toolbox.Toolbox<Files>>()
expectTypeOf<typeof Toolkit.files>().toEqualTypeOf<Toolbox.Toolbox<Files>>()
expectTypeOf<typeof Toolkit.all>().toEqualTypeOf<
  Toolbox.Toolbox<Files | ChildProcessSpawner.ChildProcessSpawner>
>()

expectTypeOf<Tool.Failure<typeof editFile>>().toEqualTypeOf<
  | Errors.FileError
  | Errors.EditNotFound
  | Errors.EditAmbiguous
  | Errors.EditWithoutEffect
  | Errors.TextNotWellFormed
>()
expectTypeOf<Tool.Failure<typeof runCommand>>().toEqualTypeOf<
  Errors.CommandTimedOut | Errors.CommandNotStarted | Errors.ArgumentOutOfRange
>()
expectTypeOf<Tool.Args<typeof editFile>>().toEqualTypeOf<{
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly replace_all?: boolean
}>()
