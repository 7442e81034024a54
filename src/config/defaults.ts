/** Default number of blocks between checkpoints. */
const DEFAULT_INTERVAL = 1_000;
/** Default number of blocks between checkpoints of the development chain, which is usually short. */
const DEV_INTERVAL = 100;

/** Number of blocks between checkpoints; 0 disables them. */
export function checkpointInterval({
  checkpointInterval: given,
  genesisFile,
}: {
  readonly checkpointInterval: number | undefined;
  readonly genesisFile: string | undefined;
}): number {
  return given ?? (genesisFile === undefined ? DEV_INTERVAL : DEFAULT_INTERVAL);
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 9_545;

export const DEFAULT_IDLE_BLOCK_TIME_MS = 5_000;

export const MAX_DEV_ACCOUNTS = 10_000;
