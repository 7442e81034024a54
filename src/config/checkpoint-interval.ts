import type { Config } from './config.js';

/** Heights between two checkpoints unless `--checkpoint-interval` says otherwise. */
const DEFAULT_INTERVAL = 1_000;
/** On the development chain, which is young as a rule. */
const DEV_INTERVAL = 100;

/** Heights between two checkpoints; 0 for none. */
export function checkpointInterval({
  checkpointInterval: given,
  genesisFile,
}: Pick<Config, 'checkpointInterval' | 'genesisFile'>): number {
  return given ?? (genesisFile === undefined ? DEV_INTERVAL : DEFAULT_INTERVAL);
}
