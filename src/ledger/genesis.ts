import type { Sha256 } from '../crypto/crypto.js';
import type { BlockHeader, Genesis } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from './codecs.js';
import { MAX_BALANCE, MIN_BLOCK_GAS } from './constants.js';
import { validatorsHash } from './header.js';
import { accountKey, encryptionKeysKey, validatorSetKey } from './state-keys.js';
import { MIN_EPOCH_LENGTH } from './validators/epochs.js';
import { genesisExtra, hasParameters } from './validators/parameters.js';
import { MAX_VALIDATORS, quorumOf } from './validators/quorum.js';

/** Thrown when a genesis cannot start a chain. */
export class GenesisError extends Error {
  override readonly name = 'GenesisError';
}

export interface GenesisEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Checks the rules that types cannot express. @throws GenesisError naming the invalid member */
export function checkGenesis(genesis: Genesis): void {
  const { validator_set: set, gas_limit: gasLimit, epoch_length: epochLength, extra } = genesis;
  expect(gasLimit >= MIN_BLOCK_GAS, `gas_limit: expected at least ${MIN_BLOCK_GAS}, got ${gasLimit}`);
  expect(gasLimit < 2n ** 63n, `gas_limit: expected less than 2^63, got ${gasLimit}`);
  expect(genesis.base_fee >= 1n, `base_fee: expected at least 1, got ${genesis.base_fee}`);
  const { length: validators } = set.validators;
  expect(validators > 0, 'validator_set.validators: expected at least one');
  expect(set.epoch === 0n, `validator_set.epoch: expected 0, got ${set.epoch}`);
  expect(
    validators <= MAX_VALIDATORS,
    `validator_set.validators: expected at most ${MAX_VALIDATORS}, got ${validators}`,
  );
  const quorum = quorumOf(validators);
  expect(
    set.quorum === quorum,
    `validator_set.quorum: expected ${quorum}, which ${validators} validators need, got ${set.quorum}`,
  );
  expect(
    epochLength === undefined || epochLength >= MIN_EPOCH_LENGTH,
    `epoch_length: expected at least ${MIN_EPOCH_LENGTH}, got ${epochLength}`,
  );
  for (const [place, { index }] of set.validators.entries()) {
    expect(index === place, `validator_set.validators[${place}].index: expected ${place}, got ${index}`);
  }
  const keys = genesis.encryption_keys?.length ?? 0;
  expect(
    keys === validators || (keys === 0 && validators === 1),
    `encryption_keys: expected ${validators}, one of each validator, got ${keys}`,
  );
  if (extra !== undefined) {
    expect(
      epochLength === undefined && genesis.ceremony === undefined,
      'extra: not allowed with epoch_length or ceremony, which block 0 stores in it',
    );
    expect(!hasParameters(extra), 'extra: expected bytes that do not encode parameters');
  }
  const total = genesis.accounts.reduce((sum, account) => sum + account.balance, 0n);
  expect(total <= MAX_BALANCE, `accounts: expected a total balance below 2^128, got ${total}`);
  const seen = new Set<string>();
  for (const [place, account] of genesis.accounts.entries()) {
    const address = toHex(account.address);
    expect(!seen.has(address), `accounts[${place}].address: 0x${address} appears twice`);
    seen.add(address);
  }
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new GenesisError(otherwise);
}

/** The state after genesis, ascending by key: accounts with a balance, the validator set, its encryption keys. */
export function genesisState(crypto: Sha256, genesis: Genesis): GenesisEntry[] {
  const accounts = genesis.accounts
    .filter((account) => account.balance > 0n)
    .map((account) => ({
      key: accountKey(crypto, account.address),
      value: ledger.AccountRecord.encode({ balance: account.balance, lanes: [], deploy_index: 0n }),
    }));
  const { validator_set: set, encryption_keys: keys = [] } = genesis;
  const encryption = { key: encryptionKeysKey(crypto), value: ledger.EncryptionKeys.encode({ keys }) };
  return [
    ...accounts,
    { key: validatorSetKey(crypto), value: ledger.ValidatorSet.encode(set) },
    ...(keys.length === 0 ? [] : [encryption]),
  ].sort((a, b) => Buffer.compare(a.key, b.key));
}

/** The header of block 0, from the roots of its state, lists and history. Its hash identifies the chain. */
export function genesisHeader(
  crypto: Sha256,
  genesis: Genesis,
  roots: Pick<BlockHeader, 'state_root' | 'transactions_root' | 'receipts_root' | 'history_root'>,
): BlockHeader {
  return {
    chain_id: genesis.chain_id,
    height: 0n,
    parent_hash: new Uint8Array(32),
    epoch: 0n,
    view: 0n,
    timestamp_ms: genesis.timestamp_ms,
    proposer: 0,
    ...roots,
    validators_hash: validatorsHash(crypto, genesis.validator_set),
    gas_used: 0n,
    gas_limit: genesis.gas_limit,
    base_fee: genesis.base_fee,
    seal_excess: 0n,
    extra: genesisExtra(genesis),
  };
}
