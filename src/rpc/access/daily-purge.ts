const DAY_MS = 24 * 3_600_000;

/**
 * Deletes expired records once a day.
 * @param purge see `TokenDesk.purge`
 * @param onFault called with the errors of a purge; the next one runs all the same
 * @returns a function that ends it
 */
export function purgeDaily(purge: () => Promise<void>, onFault: (error: unknown) => void): () => void {
  const timer = setInterval(() => void purge().catch(onFault), DAY_MS).unref();
  return () => clearInterval(timer);
}
