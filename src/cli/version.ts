/**
 * The version of this package, as `--version` prints it.
 *
 * Not here: package.json, which says the same (a test compares them).
 */
export const version = "0.1.0"
