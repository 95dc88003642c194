/** The tags that the page of tools shows are those of the types. */
import { expectTypeOf } from "vitest"
import type * as Tool from "../../src/tool/Tool.ts"
import type { editFile } from "../../src/toolkit/EditFile.ts"
import type { listFiles } from "../../src/toolkit/ListFiles.ts"
import type { readFile } from "../../src/toolkit/ReadFile.ts"
import type { runCommand } from "../../src/toolkit/RunCommand.ts"
import type { searchText } from "../../src/toolkit/SearchText.ts"
import type { FileError } from "../../src/toolkit/ToolkitError.ts"
import type { writeFile } from "../../src/toolkit/WriteFile.ts"
import type { fileTags, ownTags } from "./toolTags.ts"

type TagOf<T extends { readonly name: keyof typeof ownTags }> = Extract<
  Tool.Failure<T>,
  { readonly _tag: string }
>["_tag"]
type File = (typeof fileTags)[number]
type Own<Name extends keyof typeof ownTags> = (typeof ownTags)[Name][number]

expectTypeOf<File>().toEqualTypeOf<FileError["_tag"]>()
expectTypeOf<TagOf<typeof readFile>>().toEqualTypeOf<File | Own<"read_file">>()
expectTypeOf<TagOf<typeof listFiles>>().toEqualTypeOf<File>()
expectTypeOf<TagOf<typeof searchText>>().toEqualTypeOf<File | Own<"search_text">>()
expectTypeOf<TagOf<typeof writeFile>>().toEqualTypeOf<File | Own<"write_file">>()
expectTypeOf<TagOf<typeof editFile>>().toEqualTypeOf<File | Own<"edit_file">>()
expectTypeOf<TagOf<typeof runCommand>>().toEqualTypeOf<Own<"run_command">>()
expectTypeOf<Own<"list_files">>().toEqualTypeOf<never>()
