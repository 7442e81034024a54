/** True if two byte strings are equal. Avoids Node's Buffer, because verifiers also run in browsers. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
