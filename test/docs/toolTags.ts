/**
 * How each tool of the toolkit can fail, by tag: what a page can show and a type cannot.
 *
 * Not here: the proof that it is so (`toolTags.types.ts`).
 */

/** What every tool that touches files can fail with. */
export const fileTags = [
  "PathOutsideWorkspace",
  "PathReserved",
  "PathTooLong",
  "FileNotFound",
  "FileForbidden",
  "PathIsFolder",
  "PathNotFolder",
  "FileNotRegular",
  "FileNotText",
  "FileTooLarge",
  "FileSystemFailed",
] as const

/** The others. */
export const ownTags = {
  read_file: ["LineOutOfRange", "ArgumentOutOfRange"],
  list_files: [],
  search_text: ["PatternInvalid", "PatternTooSlow", "ArgumentOutOfRange"],
  write_file: ["TextNotWellFormed"],
  edit_file: ["EditNotFound", "EditAmbiguous", "EditWithoutEffect", "TextNotWellFormed"],
  run_command: ["CommandTimedOut", "CommandNotStarted", "ArgumentOutOfRange"],
} as const
