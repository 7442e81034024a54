import type { Genesis } from '../generated/ledger.js';
import { readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';

const GENESIS = Buffer.from('genesis');
const TIP = Buffer.from('tip');

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
