/**
 * What Node says of a file, in the words of Effect.
 *
 * In:  the stats of a plain file or a folder.      Out: `File.Info`.
 */
import type { BigIntStats } from "node:fs"
import { ByteSize, type FileSystem, Option } from "effect"

export const toInfo = (stats: BigIntStats): FileSystem.File.Info => ({
  type: stats.isDirectory() ? "Directory" : "File",
  mtime: Option.some(stats.mtime),
  atime: Option.some(stats.atime),
  birthtime: Option.some(stats.birthtime),
  // Node reads unsigned numbers as signed ones.
  dev: BigInt.asUintN(64, stats.dev),
  ino: Option.some(BigInt.asUintN(64, stats.ino)),
  rdev: Option.some(BigInt.asUintN(64, stats.rdev)),
  mode: Number(stats.mode),
  nlink: Option.some(BigInt.asUintN(64, stats.nlink)),
  uid: Option.some(Number(stats.uid)),
  gid: Option.some(Number(stats.gid)),
  size: ByteSize.bytes(stats.size),
  blksize: Option.some(ByteSize.bytes(stats.blksize)),
  blocks: Option.some(stats.blocks),
})
