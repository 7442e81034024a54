import type { Genesis } from '../generated/ledger.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';

const GENESIS = Buffer.from('genesis');
const TIP = Buffer.from('tip');
const SNAPSHOT_BASE = Buffer.from('snapshot_base');

/** The last committed block: its height and its hash (32 bytes). */
export interface TipRecord {
  readonly height: bigint;
  readonly hash: Uint8Array;
}

export function putGenesis(batch: WriteBatch, genesis: Genesis): void {
  batch.put('meta', GENESIS, ledger.Genesis.encode(genesis));
}

/** The genesis that the stored chain began with; undefined in a new store. */
export function readGenesis(store: StoreReader): Genesis | undefined {
  const value = store.get('meta', GENESIS);
  return value === undefined ? undefined : ledger.Genesis.decode(value);
}

export function putTip(batch: WriteBatch, tip: TipRecord): void {
  const value = new Uint8Array(40);
  new DataView(value.buffer).setBigUint64(0, tip.height);
  value.set(tip.hash, 8);
  batch.put('meta', TIP, value);
}

export function readTip(store: StoreReader): TipRecord | undefined {
  const value = store.get('meta', TIP);
  return value === undefined ? undefined : { height: readBe64(value, 0), hash: value.subarray(8) };
}

/** Records that the chain was not executed from genesis: the state came as a snapshot of this height. */
export function putSnapshotBase(batch: WriteBatch, height: bigint): void {
  batch.put('meta', SNAPSHOT_BASE, be64(height));
}

/**
 * The height of the snapshot that the stored chain began with; undefined where it was executed from genesis. Of that block, and of
 * block 0, the header is stored, of those between nothing.
 */
export function readSnapshotBase(store: StoreReader): bigint | undefined {
  const value = store.get('meta', SNAPSHOT_BASE);
  return value === undefined ? undefined : readBe64(value, 0);
}
