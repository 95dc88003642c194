/**
 * Equality of types, for `*.types.ts`: `same<Left, Right>(true)` compiles exactly when both are one type.
 *
 * Not here: assignability; an assignment says that by itself.
 */

/** True when no context can tell the types apart; unlike assignability, it sees `any`, `readonly` and `?`. */
export type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

export const same = <Left, Right>(_: Equal<Left, Right>): void => {}
