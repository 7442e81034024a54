import { sameBytes } from '../../base/same-bytes.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { HistoryRoot } from '../../generated/node-rpc-v1.js';
import { readJsonHistoryRoot, readJsonValidatorSet } from '../../generated/verify-codecs.js';
import { readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, reading } from './decoding.js';
import { validatorSetHash } from './header-hash.js';
import { type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';
import { expectHistoryOf } from './verify-history.js';

/** Starting point of a light client. */
export interface VerifiedContext {
  readonly block: VerifiedBlock;
  /** The history MMR over blocks 0 to block.height − 1. */
  readonly history: HistoryRoot;
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
