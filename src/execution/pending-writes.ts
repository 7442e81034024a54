import { EMPTY_ACCOUNT } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { latin1 } from '../storage/latin1.js';
import { rawOf, valueOfRaw } from '../storage/state.js';
import type { BlockEnvironment } from './block-environment.js';
import type { BlockChanges } from './block-execution.js';
import { FlatReader, FlatWriter } from './parallel/flat-bytes.js';
import type { AccountEntry } from './state-source.js';

/** The writes of a pending block, as execution on top of it reads them. */
export interface PendingWrites {
  /** By state key (32 bytes as Latin-1): the future entry in column `state`, or undefined for a deleted key. */
  readonly entries: ReadonlyMap<string, Uint8Array | undefined>;
  /** By address, 40 lowercase hex digits. */
  readonly accounts: ReadonlyMap<string, AccountEntry>;
  /** New code by hash (32 bytes as Latin-1). */
  readonly codes: ReadonlyMap<string, Uint8Array>;
}

/** A pending block's writes, encoded for workers; each worker decodes them once. */
export interface SharedWrites {
  /** Unique in the process. */
  readonly id: number;
  /** Input of {@link decodeWrites}. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** A block to execute. */
export interface BlockOnBranch {
  readonly env: BlockEnvironment;
  /** The block's pending ancestors; absent if its parent is the last committed block. */
  readonly branch?: readonly SharedWrites[];
}

const CODE = 0;
const SLOT = 1;
const ACCOUNT = 2;

let blocks = 0;

/** The writes of a pending block, for execution on top of it. Computed on demand. */
export class PendingBlockState {
  readonly #id = blocks++;
  readonly #height: bigint;
  readonly #executed: BlockChanges;
  #writes: PendingWrites | undefined;
  #shared: SharedWrites | undefined;

  constructor(height: bigint, executed: BlockChanges) {
    this.#height = height;
    this.#executed = executed;
  }

  /** The writes, for use in this thread. */
  get writes(): PendingWrites {
    this.#writes ??= collect(this.#height, this.#executed);
    return this.#writes;
  }

  /** The writes, encoded for workers. */
  get shared(): SharedWrites {
    this.#shared ??= { id: this.#id, bytes: encode(this.#height, this.#executed) };
    return this.#shared;
  }
}

/** Pending blocks from the child of the last committed block on, each the parent of the next. */
export type Branch = readonly PendingBlockState[];

function collect(height: bigint, { writes, codes }: BlockChanges): PendingWrites {
  const entries = new Map<string, Uint8Array | undefined>();
  const accounts = new Map<string, AccountEntry>();
  for (const { key, value, account } of writes) {
    const raw = value === undefined ? undefined : rawOf(height, value);
    entries.set(latin1(key), raw);
    if (account !== undefined) accounts.set(account.address, { key, raw, record: account.record });
  }
  return { entries, accounts, codes: new Map(codes.map(({ hash, bytes }) => [latin1(hash), bytes])) };
}

/** Per write u8 kind ‖ key 32 ‖ entry or none, an account's name 40 before it; per code u8 ‖ hash ‖ bytes. */
function encode(height: bigint, { writes, codes }: BlockChanges): Uint8Array<SharedArrayBuffer> {
  const writer = new FlatWriter();
  for (const { key, value, account } of writes) {
    writer.u8(account === undefined ? SLOT : ACCOUNT);
    writer.raw(key);
    if (account !== undefined) writer.name(account.address);
    writer.bytes(value === undefined ? undefined : rawOf(height, value));
  }
  for (const { hash, bytes } of codes) {
    writer.u8(CODE);
    writer.raw(hash);
    writer.bytes(bytes);
  }
  return writer.finishShared();
}

/** Decodes another thread's writes of a block. Bytes are copied, as their readers do not accept shared memory. */
export function decodeWrites({ bytes: encoded }: SharedWrites): PendingWrites {
  const entries = new Map<string, Uint8Array | undefined>();
  const accounts = new Map<string, AccountEntry>();
  const codes = new Map<string, Uint8Array>();
  const reader = new FlatReader(Uint8Array.from(encoded));
  while (!reader.done) {
    const kind = reader.u8();
    const key = reader.raw(32);
    if (kind === CODE) {
      codes.set(latin1(key), reader.present());
      continue;
    }
    const address = kind === ACCOUNT ? reader.name(40) : undefined;
    const raw = reader.bytes();
    entries.set(latin1(key), raw);
    if (address === undefined) continue;
    const record = raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(valueOfRaw(raw));
    accounts.set(address, { key, raw, record });
  }
  return { entries, accounts, codes };
}
