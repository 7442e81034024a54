import { sameBytes } from '../../base/same-bytes.js';
import type { BlockHeader, ConsensusParameters, Genesis } from '../../generated/ledger.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { ledger } from '../codecs.js';
import { DEFAULT_EPOCH_LENGTH, MIN_EPOCH_LENGTH } from './epochs.js';

const DOMAIN = new TextEncoder().encode('heddle/parameters/1');

export function genesisParameters(genesis: Pick<Genesis, 'epoch_length' | 'ceremony'>): ConsensusParameters {
  return {
    epoch_length: genesis.epoch_length ?? DEFAULT_EPOCH_LENGTH,
    ceremony: genesis.ceremony !== undefined,
  };
}

/** The `extra` of block 0: encoded parameters if they differ from the defaults, otherwise the genesis's own bytes. */
export function genesisExtra(genesis: Pick<Genesis, 'epoch_length' | 'ceremony' | 'extra'>): Uint8Array {
  const parameters = genesisParameters(genesis);
  if (parameters.epoch_length === DEFAULT_EPOCH_LENGTH && !parameters.ceremony) {
    return genesis.extra ?? new Uint8Array(0);
  }
  return Buffer.concat([DOMAIN, ledger.ConsensusParameters.encode(parameters)]);
}

/** Consensus parameters read from block 0. @throws BorshError for an encoding that no genesis produces */
export function parametersOf({ extra }: Pick<BlockHeader, 'extra'>): ConsensusParameters {
  if (!hasParameters(extra)) return genesisParameters({});
  const parameters = ledger.ConsensusParameters.decode(extra.subarray(DOMAIN.length));
  const { epoch_length: length } = parameters;
  if (length < MIN_EPOCH_LENGTH) {
    const expected = `expected at least ${MIN_EPOCH_LENGTH}, got ${length}`;
    throw new BorshError('wrong_value', 'ConsensusParameters.epoch_length', expected);
  }
  return parameters;
}

export function hasParameters(extra: Uint8Array): boolean {
  return sameBytes(extra.subarray(0, DOMAIN.length), DOMAIN);
}
