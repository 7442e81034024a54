import { concatBytes } from '../base/concat-bytes.js';
import type { Genesis } from '../generated/ledger.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import { TIP_KEY } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';

const GENESIS = Buffer.from('genesis');
const SNAPSHOT_BASE = Buffer.from('snapshot_base');

/** The last committed block: height and hash (32 bytes). */
export interface TipRecord {
  readonly height: bigint;
  readonly hash: Uint8Array;
}

export function putGenesis(batch: WriteBatch, genesis: Genesis): void {
  batch.put('meta', GENESIS, ledger.Genesis.encode(genesis));
}

export function readGenesis(store: StoreReader): Genesis | undefined {
  const value = store.get('meta', GENESIS);
  return value === undefined ? undefined : ledger.Genesis.decode(value);
}

export function putTip(batch: WriteBatch, tip: TipRecord): void {
  batch.put('meta', TIP_KEY, concatBytes([be64(tip.height), tip.hash]));
}

export function readTip(store: StoreReader): TipRecord | undefined {
  const value = store.get('meta', TIP_KEY);
  return value === undefined ? undefined : { height: readBe64(value, 0), hash: value.subarray(8) };
}

/** Records that the chain starts from a state snapshot at this height, not from genesis. */
export function putSnapshotBase(batch: WriteBatch, height: bigint): void {
  batch.put('meta', SNAPSHOT_BASE, be64(height));
}

/** Height of the snapshot that the chain starts from, if any; no block between 0 and it is stored. */
export function readSnapshotBase(store: StoreReader): bigint | undefined {
  const value = store.get('meta', SNAPSHOT_BASE);
  return value === undefined ? undefined : readBe64(value, 0);
}
