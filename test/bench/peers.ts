/**
 * The neighbours: who there is, in which version, and how they are installed.
 *
 * Out: those whose packages are here. Their folder has a lock file of its own; the product's install never holds them.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Peer } from "./Row.ts"

const folder = "test/bench/peers"

export interface Neighbour {
  readonly peer: Peer
  /** The module that does its work. */
  readonly path: string
  /** Undefined when its package is not installed. */
  readonly version: string | undefined
}

/** Install exactly what the lock file names. Nobody's install scripts run. */
export const install = (): void => {
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) throw new Error("the neighbours could not be installed")
}

/** As Node finds a package from the folder of the peers: there, or further up among those of this repository. */
const versionOf = (name: string): string | undefined => {
  const path = [folder, "."]
    .map((above) => `${above}/node_modules/${name}/package.json`)
    .find((path) => existsSync(path))
  if (path === undefined) return undefined
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, "utf8"))
  return version
}

const load = async (file: string): Promise<Neighbour> => {
  const path = resolve(folder, file)
  const { peer }: { readonly peer: Peer } = await import(pathToFileURL(path).href)
  const versions = peer.packages.map(versionOf)
  const version = versions.includes(undefined) ? undefined : (versions[0] ?? process.versions.node)
  return { peer, path, version }
}

export const loadPeers = (): Promise<ReadonlyArray<Neighbour>> =>
  Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith(".mjs"))
      .sort()
      .map(load),
  )
