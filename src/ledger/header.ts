import { concatBytes } from '../base/concat-bytes.js';
import type { Sha256 } from '../crypto/crypto.js';
import type { ValidatorSet } from '../generated/ledger.js';
import { ledger } from './codecs.js';

const BLOCK_DOMAIN = new TextEncoder().encode('heddle/block/1');

/** sha256("heddle/block/1" ‖ borsh(BlockHeader)), 32 bytes. @param encoded borsh(BlockHeader) */
export function blockHash(crypto: Sha256, encoded: Uint8Array): Uint8Array {
  return crypto.sha256(concatBytes([BLOCK_DOMAIN, encoded]));
}

/** The header's validators_hash: sha256(borsh(ValidatorSet)), 32 bytes. */
export function validatorsHash(crypto: Sha256, set: ValidatorSet): Uint8Array {
  return crypto.sha256(ledger.ValidatorSet.encode(set));
}
