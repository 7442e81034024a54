/** Heights between two checkpoints unless `--checkpoint-interval` says otherwise. */
const DEFAULT_INTERVAL = 1_000;
/** On the development chain, which is young as a rule. */
const DEV_INTERVAL = 100;

/** Heights between two checkpoints; 0 for none. */
export function checkpointInterval({
  checkpointInterval: given,
  genesisFile,
}: {
  readonly checkpointInterval: number | undefined;
  readonly genesisFile: string | undefined;
}): number {
  return given ?? (genesisFile === undefined ? DEV_INTERVAL : DEFAULT_INTERVAL);
}

/** The time between empty blocks unless another is configured, milliseconds. */
export const DEFAULT_IDLE_BLOCK_TIME_MS = 5_000;
