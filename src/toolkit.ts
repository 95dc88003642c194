/**
 * The tools that come with the package: files, text search and commands, confined to a workspace.
 *
 * Out: one namespace a tool, the workspace they work in, and their errors.
 */
export * as EditFile from "./toolkit/EditFile.ts"
export * as ListFiles from "./toolkit/ListFiles.ts"
export * as ReadFile from "./toolkit/ReadFile.ts"
export * as RunCommand from "./toolkit/RunCommand.ts"
export * as SearchText from "./toolkit/SearchText.ts"
export * as Toolkit from "./toolkit/Toolkit.ts"
export * as ToolkitError from "./toolkit/ToolkitError.ts"
export * as Workspace from "./toolkit/Workspace.ts"
export * as WriteFile from "./toolkit/WriteFile.ts"
