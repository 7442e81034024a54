import type { BlsKeys, Sha256 } from '../crypto.js';
import type { RandomBytes } from '../scalars/scalars.js';

/** What dealers and players need to make shares and proofs. */
export interface DkgParts {
  readonly crypto: Sha256;
  readonly bls: BlsKeys;
  readonly random: RandomBytes;
}
