/** Up to here a loop beats the call of a native comparison. */
const SHORT = 64;

/** Whether both are the same bytes, or both are not there. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  if (a.length > SHORT) return Buffer.compare(a, b) === 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
