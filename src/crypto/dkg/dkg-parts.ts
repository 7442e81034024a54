import type { Bls, Crypto } from '../crypto.js';
import type { RandomBytes } from '../scalars/scalars.js';

/** What dealers and players need to make shares and proofs. */
export interface DkgParts {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
}
