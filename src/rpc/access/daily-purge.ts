const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Deletes old records an hour from now and then once a day. A machine that starts with a wrong clock corrects it
 * before that; otherwise the records of valid tokens could be lost, and with them spent units and revocations.
 * @param onFault called with the errors of a purge; the next one runs all the same
 * @returns a function that ends it
 */
export function purgeDaily(purge: () => Promise<unknown>, onFault: (error: unknown) => void): () => void {
  const run = (): void => void purge().catch(onFault);
  let timer = setTimeout(() => {
    run();
    timer = setInterval(run, DAY_MS).unref();
  }, HOUR_MS).unref();
  return () => clearTimeout(timer);
}
