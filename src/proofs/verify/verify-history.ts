import { sameBytes } from '../../base/same-bytes.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { HistoryRoot } from '../../generated/node-rpc-v1.js';
import {
  readJsonFinalizedHistoryProofResult,
  readJsonHistoryRoot,
  readJsonValidatorSet,
} from '../../generated/verify-codecs.js';
import { mmrRoot, mmrSize, verifyMmrInclusion } from '../mmr.js';
import { readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, readAnswer, reading } from './decoding.js';
import { portableHashes, validatorSetHash } from './header-hash.js';
import { type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';

/** A block and the history before it. */
export interface VerifiedHistory {
  readonly block: VerifiedBlock;
  /** The history MMR over blocks 0 to block.height − 1. */
  readonly history: HistoryRoot;
}

/** Verifies an answer of finalized_history_root. @throws VerifyError naming the failed check */
export function verifyHistoryRoot(answer: unknown, trust: TrustAnchor): VerifiedHistory {
  const root = trustRoot(trust);
  return reading(() => {
    const r = new Answer(answer, 'FinalizedHistoryRootResult', 'answer');
    const block = readVerifiedHeader(r, root);
    const history = r.read('history', readJsonHistoryRoot);
    expectHistoryOf(history, block);
    return { block, history };
  });
}

/** @throws VerifyError `wrong_subject`, `not_proved` unless size and peaks match the header's history_root */
export function expectHistoryOf(history: HistoryRoot, { header }: VerifiedBlock): void {
  if (history.height !== header.height || history.size !== mmrSize(header.height)) {
    throw new VerifyError(
      'wrong_subject',
      `history: expected the range of ${mmrSize(header.height)} nodes below block ${header.height}, got ${history.size} nodes below block ${history.height}`,
    );
  }
  const root = mmrRoot(portableHashes, history.size, history.peaks);
  if (!sameBytes(history.root, header.history_root) || !sameBytes(root, header.history_root)) {
    throw new VerifyError('not_proved', "history: the peaks do not lead to the header's history_root");
  }
}

/**
 * Verifies an answer of finalized_history_proof under a previously verified block. The request's `at_size` must be the
 * size of that block's history: 2·height minus the number of ones in the binary digits of height.
 * @param height height of the block whose hash is wanted
 * @returns the hash of the block at that height, 32 bytes
 * @throws VerifyError naming the failed check
 */
export function verifyBlockInHistory(
  answer: unknown,
  height: bigint | number,
  under: VerifiedBlock,
): Uint8Array {
  const { header } = under;
  const proof = reading(() => readAnswer(answer, readJsonFinalizedHistoryProofResult, 'answer'));
  if (proof.leaf_index !== BigInt(height)) {
    throw new VerifyError(
      'wrong_subject',
      `history proof: expected one of block ${height}, got one of block ${proof.leaf_index}`,
    );
  }
  if (proof.size !== mmrSize(header.height)) {
    throw new VerifyError(
      'wrong_subject',
      `history proof: expected one under the ${mmrSize(header.height)} nodes below block ${header.height}, got one under ${proof.size}`,
    );
  }
  const { leaf_index: leafIndex, path, peaks, block_hash } = proof;
  const range = { leafIndex, leaves: header.height, path, peaks };
  const isProved =
    sameBytes(proof.root, header.history_root) &&
    verifyMmrInclusion(portableHashes, range, block_hash, header.history_root);
  if (!isProved) {
    throw new VerifyError(
      'not_proved',
      `history proof: it does not lead to the history_root of block ${header.height}`,
    );
  }
  return block_hash;
}

/** Starting point of a light client. */
export interface VerifiedContext extends VerifiedHistory {
  /** Validators of the block. Certificates of any epoch are verified under the group key alone, which never changes. */
  readonly validatorSet: ValidatorSet;
}

/**
 * Verifies an answer of light_client_context: the header under the trust anchor; history and validator set under the
 * header.
 * @param answer the method's result, as parsed by JSON.parse
 * @throws VerifyError naming the failed check
 */
export function verifyLightClientContext(answer: unknown, trust: TrustAnchor): VerifiedContext {
  const root = trustRoot(trust);
  return reading(() => {
    const r = new Answer(answer, 'LightClientContextResult', 'answer');
    const block = readVerifiedHeader(r, root);
    const { chain_id: chainId, epoch } = block.header;
    const stated = {
      chainId: r.read('chain_id', (reader, value, path) => reader.u64(value, path, '', -1)),
      epoch: r.read('epoch', (reader, value, path) => reader.u64(value, path, '', -1)),
    };
    if (stated.chainId !== chainId || stated.epoch !== epoch) {
      throw new VerifyError(
        'wrong_subject',
        `answer: expected chain ${chainId} and epoch ${epoch} of the header, got chain ${stated.chainId} and epoch ${stated.epoch}`,
      );
    }
    const history = r.read('history', readJsonHistoryRoot);
    expectHistoryOf(history, block);
    const validatorSet = r.read('validator_set', readJsonValidatorSet);
    expectValidatorsOf(validatorSet, block);
    return { block, history, validatorSet };
  });
}

/** @throws VerifyError `not_proved` unless the set has the header's validators_hash */
export function expectValidatorsOf(set: ValidatorSet, { header }: VerifiedBlock): void {
  if (sameBytes(validatorSetHash(set), header.validators_hash)) return;
  throw new VerifyError('not_proved', "validator set: it does not match the header's validators_hash");
}
