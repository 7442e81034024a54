const LONGEST_MS = 60_000;

/**
 * Measures the time of a flood that begins now.
 * @param hasEffect whether enough has come of it, which takes longer on a busy machine
 * @returns whether it is over
 */
export function floodTime(ms: number, hasEffect: () => boolean): () => boolean {
  const begun = performance.now();
  return () => {
    const passed = performance.now() - begun;
    return passed > ms && (hasEffect() || passed > LONGEST_MS);
  };
}
