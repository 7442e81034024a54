import { ed25519Address } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import { addWrite, type StateWrite } from '../../execution/state-writes.js';
import type {
  ApprovedChange,
  Complaint,
  ConsensusParameters,
  Dealing,
  Genesis,
  Validator,
  ValidatorSet,
} from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import {
  changeKey,
  complaintKey,
  dealingKey,
  dealingOrderKey,
  encryptionKeysKey,
  validatorSetKey,
} from '../../ledger/state-keys.js';
import { endsEpoch } from '../../ledger/validators/epochs.js';
import { genesisParameters } from '../../ledger/validators/parameters.js';
import { rawOf, valueOfRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ChainError } from '../chain-error.js';

/** The items of a block that concern validators. */
export interface EpochItems {
  readonly dealings: readonly Dealing[];
  readonly changes: readonly ApprovedChange[];
  readonly complaints: readonly Complaint[];
}

export const NO_EPOCH_ITEMS: EpochItems = { dealings: [], changes: [], complaints: [] };

export interface NextEpoch {
  readonly set: ValidatorSet;
  /** False if there were too few valid dealings; the changes then wait for the next epoch. */
  readonly reshared: boolean;
}

/** Validator state after a block, as its children see it. Immutable: every change creates a new one. */
export interface EpochState {
  readonly parameters: ConsensusParameters;
  /** Validators of the next block's epoch. */
  readonly validators: ValidatorSet;
  /** The encryption keys of these validators, by index; empty only with a single validator. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** Changes that take effect at the end of the next block's epoch, in order. */
  readonly changes: readonly ApprovedChange[];
  /** Dealings of the next block's epoch, in block order. */
  readonly dealings: readonly Dealing[];
  /** Complaints against these dealings, ascending by dealer. */
  readonly complaints: readonly Complaint[];
  /** The entries of column `state` that encode this validator state, by hex key. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
}

/** The validator with this index in the next block's set; undefined if there is none. */
export function validatorOf({ validators }: EpochState, index: number): Validator | undefined {
  return validators.validators[index];
}

export function genesisEpochState(crypto: Crypto, genesis: Genesis): EpochState {
  const parameters = genesisParameters(genesis);
  const entries = new Map<string, Uint8Array>();
  const { validator_set: validators, encryption_keys: encryptionKeys = [] } = genesis;
  put(entries, validatorSetKey(crypto), 0n, ledger.ValidatorSet.encode(validators));
  if (encryptionKeys.length > 0) {
    put(entries, encryptionKeysKey(crypto), 0n, ledger.EncryptionKeys.encode({ keys: encryptionKeys }));
  }
  return { parameters, validators, encryptionKeys, changes: [], dealings: [], complaints: [], entries };
}

/**
 * Reads the validator state after the last stored block.
 * @throws ChainError `damaged` if the state lacks the validator set or its encryption keys
 */
export function readEpochState(
  store: StoreReader,
  crypto: Crypto,
  parameters: ConsensusParameters,
): EpochState {
  const entries = new Map<string, Uint8Array>();
  const read = <T>(key: Uint8Array, codec: { decode(value: Uint8Array): T }): T | undefined => {
    const raw = store.get('state', key);
    if (raw === undefined) return undefined;
    entries.set(toHex(key), raw);
    return codec.decode(valueOfRaw(raw));
  };
  const validators = read(validatorSetKey(crypto), ledger.ValidatorSet);
  if (validators === undefined) throw new ChainError('damaged', 'the state does not name the validators');
  const encryption = read(encryptionKeysKey(crypto), ledger.EncryptionKeys);
  if (encryption === undefined && validators.validators.length > 1) {
    throw new ChainError('damaged', "the state does not have the validators' encryption keys");
  }
  const { epoch } = validators;
  const changes: ApprovedChange[] = [];
  for (;;) {
    const change = read(changeKey(crypto, epoch, changes.length), ledger.ApprovedChange);
    if (change === undefined) break;
    changes.push(change);
  }
  const order = read(dealingOrderKey(crypto, epoch), ledger.DealingOrder);
  const dealings = (order?.dealers ?? []).map((dealer) => {
    const dealing = read(dealingKey(crypto, epoch, dealer), ledger.Dealing);
    if (dealing === undefined) throw new ChainError('damaged', `the state lacks the dealing of ${dealer}`);
    return dealing;
  });
  const complaints = validators.validators.flatMap(({ index }) => {
    const complaint = read(complaintKey(crypto, epoch, index), ledger.Complaint);
    return complaint === undefined ? [] : [complaint];
  });
  const encryptionKeys = encryption?.keys ?? [];
  return { parameters, validators, encryptionKeys, changes, dealings, complaints, entries };
}

/**
 * Derives the validator state after a block from the one before it. The items must be valid.
 * @param next computes the next epoch; called only if the block ends its epoch
 */
export async function afterBlock(
  crypto: Crypto,
  before: EpochState,
  height: bigint,
  items: EpochItems,
  next: (after: Omit<EpochState, 'entries'>) => Promise<NextEpoch>,
): Promise<EpochChange> {
  const { parameters, validators, encryptionKeys } = before;
  const ends = endsEpoch(height, parameters.epoch_length);
  const count = items.dealings.length + items.changes.length + items.complaints.length;
  if (!ends && count === 0) return { state: before, writes: [] };
  const within = {
    parameters,
    validators,
    encryptionKeys,
    changes: [...before.changes, ...items.changes],
    dealings: [...before.dealings, ...items.dealings],
    complaints: [...before.complaints, ...items.complaints].sort((a, b) => a.dealer - b.dealer),
  };
  const after = ends ? await beginEpoch(crypto, within, next) : within;
  return written(crypto, before, after, height);
}

/** The validator state after a block, with the state writes that store it. */
export interface EpochChange {
  readonly state: EpochState;
  readonly writes: readonly StateWrite[];
}

async function beginEpoch(
  crypto: Crypto,
  ended: Omit<EpochState, 'entries'>,
  next: (after: Omit<EpochState, 'entries'>) => Promise<NextEpoch>,
): Promise<Omit<EpochState, 'entries'>> {
  const { set, reshared } = await next(ended);
  // Without a resharing, the changes wait: their keys are not in force yet.
  const encryptionKeys = nextEncryptionKeys(crypto, reshared ? ended : { ...ended, changes: [] }, set);
  const changes = reshared ? [] : ended.changes;
  return { ...ended, validators: set, encryptionKeys, changes, dealings: [], complaints: [] };
}

/**
 * The encryption keys of the next epoch's validators: a dealer's is that of its dealing, whether or not the dealing was
 * used; another validator's stays, and an added one's is that of its change.
 */
function nextEncryptionKeys(
  crypto: Crypto,
  { validators: present, encryptionKeys, changes, dealings }: Omit<EpochState, 'entries'>,
  next: ValidatorSet,
): readonly Uint8Array[] {
  if (encryptionKeys.length === 0) return [];
  const keys = new Map<string, Uint8Array>();
  for (const { address, index } of present.validators) {
    keys.set(toHex(address), encryptionKeys[index] ?? new Uint8Array(0));
  }
  for (const { change } of changes) {
    if (change.type !== 'add') continue;
    keys.set(toHex(ed25519Address(crypto, change.value.identity_key)), change.value.encryption_key);
  }
  for (const { dealer, encryption_key } of dealings) {
    keys.set(toHex(present.validators[dealer]?.address ?? new Uint8Array(0)), encryption_key);
  }
  return next.validators.map(({ address }) => keys.get(toHex(address)) ?? new Uint8Array(0));
}

function written(
  crypto: Crypto,
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
  if (after.encryptionKeys.length > 0) {
    write(encryptionKeysKey(crypto), ledger.EncryptionKeys.encode({ keys: after.encryptionKeys }));
  }
  after.changes.forEach((change, order) => {
    write(changeKey(crypto, epoch, order), ledger.ApprovedChange.encode(change));
  });
  for (const dealing of after.dealings) {
    write(dealingKey(crypto, epoch, dealing.dealer), ledger.Dealing.encode(dealing));
  }
  if (after.dealings.length > 0) {
    const dealers = after.dealings.map(({ dealer }) => dealer);
    write(dealingOrderKey(crypto, epoch), ledger.DealingOrder.encode({ dealers }));
  }
  for (const complaint of after.complaints) {
    write(complaintKey(crypto, epoch, complaint.dealer), ledger.Complaint.encode(complaint));
  }
  for (const name of before.entries.keys()) {
    if (!entries.has(name)) write(Buffer.from(name, 'hex'), undefined);
  }
  return { state: { ...after, entries }, writes };
}

function put(entries: Map<string, Uint8Array>, key: Uint8Array, height: bigint, value: Uint8Array): void {
  entries.set(toHex(key), rawOf(height, value));
}
