import type { Crypto } from '../../crypto/crypto.js';
import { addWrite, type StateWrite } from '../../execution/state-writes.js';
import type {
  ApprovedChange,
  ConsensusParameters,
  Dealing,
  Genesis,
  Validator,
  ValidatorSet,
} from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { changeKey, dealingKey, validatorSetKey } from '../../ledger/state-keys.js';
import { endsEpoch } from '../../ledger/validators/epochs.js';
import { genesisParameters } from '../../ledger/validators/parameters.js';
import { rawOf, readRaw, valueOfRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ChainError } from '../chain-error.js';

/** The items of a block that concern validators. */
export interface EpochItems {
  readonly dealings: readonly Dealing[];
  readonly changes: readonly ApprovedChange[];
}

export interface NextEpoch {
  readonly set: ValidatorSet;
  /** False if there were too few dealings; the changes then wait for the next epoch. */
  readonly reshared: boolean;
}

/** Validator state after a block, as its children see it. Immutable: every change creates a new one. */
export interface EpochState {
  readonly parameters: ConsensusParameters;
  /** Validators of the next block's epoch. */
  readonly validators: ValidatorSet;
  /** Changes that take effect at the end of the next block's epoch, in order. */
  readonly changes: readonly ApprovedChange[];
  /** Dealings of the next block's epoch, ascending by dealer. */
  readonly dealings: readonly Dealing[];
  /** The entries of column `state` that encode this validator state, by hex key. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
}

/** The validator with this index in the next block's set; undefined if there is none. */
export function validatorOf({ validators }: EpochState, index: number): Validator | undefined {
  return validators.validators[index];
}

/** The validator state after genesis. */
export function genesisEpochState(crypto: Pick<Crypto, 'sha256'>, genesis: Genesis): EpochState {
  const parameters = genesisParameters(genesis);
  const entries = new Map<string, Uint8Array>();
  put(entries, validatorSetKey(crypto), 0n, ledger.ValidatorSet.encode(genesis.validator_set));
  return { parameters, validators: genesis.validator_set, changes: [], dealings: [], entries };
}

/**
 * Reads the validator state after the last stored block.
 * @param parameters of the chain
 * @throws ChainError `damaged` if there is no validator set in the state
 */
export function readEpochState(
  store: StoreReader,
  crypto: Pick<Crypto, 'sha256'>,
  parameters: ConsensusParameters,
): EpochState {
  const entries = new Map<string, Uint8Array>();
  const read = <T>(key: Uint8Array, codec: { decode(value: Uint8Array): T }): T | undefined => {
    const raw = readRaw(store, key);
    if (raw === undefined) return undefined;
    entries.set(toHex(key), raw);
    return codec.decode(valueOfRaw(raw));
  };
  const validators = read(validatorSetKey(crypto), ledger.ValidatorSet);
  if (validators === undefined) {
    throw new ChainError('damaged', 'the state does not name the validators');
  }
  const { epoch } = validators;
  const changes: ApprovedChange[] = [];
  for (;;) {
    const change = read(changeKey(crypto, epoch, changes.length), ledger.ApprovedChange);
    if (change === undefined) break;
    changes.push(change);
  }
  const dealings = validators.validators.flatMap(({ index }) => {
    const dealing = read(dealingKey(crypto, epoch, index), ledger.Dealing);
    return dealing === undefined ? [] : [dealing];
  });
  return { parameters, validators, changes, dealings, entries };
}

/**
 * Derives the validator state after a block from the one before it. The items must be valid.
 * @param next computes the next epoch; called only if the block ends its epoch
 */
export async function afterBlock(
  crypto: Pick<Crypto, 'sha256'>,
  before: EpochState,
  height: bigint,
  items: EpochItems,
  next: (after: Omit<EpochState, 'entries'>) => Promise<NextEpoch>,
): Promise<EpochChange> {
  const { parameters, validators } = before;
  const ends = endsEpoch(height, parameters.epoch_length);
  if (!ends && items.dealings.length === 0 && items.changes.length === 0) {
    return { state: before, writes: [] };
  }
  const dealings = [...before.dealings, ...items.dealings].sort((a, b) => a.dealer - b.dealer);
  const within = { parameters, validators, changes: [...before.changes, ...items.changes], dealings };
  const after = ends ? await beginEpoch(within, next) : within;
  return written(crypto, before, after, height);
}

/** The validator state after a block, with the state writes that store it. */
export interface EpochChange {
  readonly state: EpochState;
  readonly writes: readonly StateWrite[];
}

async function beginEpoch(
  ended: Omit<EpochState, 'entries'>,
  next: (after: Omit<EpochState, 'entries'>) => Promise<NextEpoch>,
): Promise<Omit<EpochState, 'entries'>> {
  const { set, reshared } = await next(ended);
  return { ...ended, validators: set, changes: reshared ? [] : ended.changes, dealings: [] };
}

function written(
  crypto: Pick<Crypto, 'sha256'>,
  before: EpochState,
  after: Omit<EpochState, 'entries'>,
  height: bigint,
): EpochChange {
  const entries = new Map<string, Uint8Array>();
  const writes: StateWrite[] = [];
  const write = (key: Uint8Array, value: Uint8Array | undefined): void => {
    const raw = before.entries.get(toHex(key));
    const count = writes.length;
    addWrite(writes, { key, raw }, value);
    if (value === undefined) return;
    if (raw !== undefined && writes.length === count) entries.set(toHex(key), raw);
    else put(entries, key, height, value);
  };
  const { epoch } = after.validators;
  write(validatorSetKey(crypto), ledger.ValidatorSet.encode(after.validators));
  after.changes.forEach((change, order) => {
    write(changeKey(crypto, epoch, order), ledger.ApprovedChange.encode(change));
  });
  for (const dealing of after.dealings) {
    write(dealingKey(crypto, epoch, dealing.dealer), ledger.Dealing.encode(dealing));
  }
  for (const name of before.entries.keys()) {
    if (!entries.has(name)) write(Buffer.from(name, 'hex'), undefined);
  }
  return { state: { ...after, entries }, writes };
}

function put(entries: Map<string, Uint8Array>, key: Uint8Array, height: bigint, value: Uint8Array): void {
  entries.set(toHex(key), rawOf(height, value));
}
