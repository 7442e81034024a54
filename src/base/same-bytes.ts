/** Longer byte strings are compared natively where Node's Buffer exists; a loop is faster up to here. */
const SHORT_BYTES = 32;

const compare = typeof Buffer === 'function' ? Buffer.compare : undefined;

/** Whether both are the same bytes, or both undefined. Not for secrets: takes longer the more bytes agree. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  if (a.length > SHORT_BYTES && compare !== undefined) return compare(a, b) === 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
