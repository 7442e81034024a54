/** Whether two byte strings are the same; without Node's Buffer, for verifiers also run in browsers. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
