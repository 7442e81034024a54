/** Some members of a type, at any depth; functions are whole. */
type Part<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

/** An object with only those members of a type that the tested code reads. */
export function fake<T extends object>(members: Part<T>): T {
  return members as T;
}
