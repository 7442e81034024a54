import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../../base/concat-bytes.js';
import type { Hashes } from '../../crypto/crypto.js';
import type { BlockHeader, ValidatorSet } from '../../generated/ledger.js';
import { writeBorshBlockHeader, writeBorshValidatorSet } from '../../generated/verify-codecs.js';
import { encodeBorsh } from './decoding.js';

const BLOCK_DOMAIN = new TextEncoder().encode('heddle/block/1');

/** The block's hash: sha256("heddle/block/1" ‖ borsh(BlockHeader)), 32 bytes. @throws BorshError */
export function headerHash(header: BlockHeader): Uint8Array {
  const encoded = encodeBorsh(header, writeBorshBlockHeader, 'BlockHeader');
  return portableHashes.sha256(concatBytes([BLOCK_DOMAIN, encoded]));
}

/** The header's validators_hash: sha256(borsh(ValidatorSet)), 32 bytes. @throws BorshError */
export function validatorSetHash(set: ValidatorSet): Uint8Array {
  return portableHashes.sha256(encodeBorsh(set, writeBorshValidatorSet, 'ValidatorSet'));
}

/** SHA-256 that runs everywhere, browsers included. */
export const portableHashes: Hashes = {
  sha256: (data) => sha256(data),
  sha256Pairs(input, output = new Uint8Array(input.length / 2)) {
    for (let at = 0; at < output.length; at += 32) {
      output.set(sha256(input.subarray(2 * at, 2 * at + 64)), at);
    }
    return output;
  },
};
