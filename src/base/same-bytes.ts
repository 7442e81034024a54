/** Maximum length compared by a loop, which is faster than Node's native comparison up to this length. */
const SHORT_BYTES = 32;

const compare = typeof Buffer === 'function' ? Buffer.compare : undefined;

/** Whether both are the same bytes, or both undefined. Not constant-time: never use it for secrets. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  if (a.length > SHORT_BYTES && compare !== undefined) return compare(a, b) === 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
