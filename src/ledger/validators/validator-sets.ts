import { LRUCache } from 'lru-cache';
import type { ValidatorSet } from '../../generated/ledger.js';
import { writeBe64 } from '../../storage/big-endian.js';
import type { StoreReader } from '../../storage/store.js';
import type { WriteBatch } from '../../storage/write-batch.js';
import { ledger } from '../codecs.js';

const PREFIX = Buffer.from('validators/');

/** Sets in memory, some 15 KB each at the most. */
const KEPT = 64;

/** Keeps an epoch's validator set, for as long as the chain is kept. */
export function putValidatorSet(batch: WriteBatch, set: ValidatorSet): void {
  batch.put('meta', keyOf(set.epoch), ledger.ValidatorSet.encode(set));
}

/** The validator sets of all epochs that the store knows; usable in any thread. */
export class ValidatorSets {
  readonly #store: StoreReader;
  readonly #kept = new LRUCache<bigint, ValidatorSet>({ max: KEPT });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The set of an epoch; undefined where the chain is not that far, or began with a later snapshot. */
  of(epoch: bigint): ValidatorSet | undefined {
    const kept = this.#kept.get(epoch);
    if (kept !== undefined) return kept;
    const stored = this.#store.get('meta', keyOf(epoch));
    if (stored === undefined) return undefined;
    const set = ledger.ValidatorSet.decode(stored);
    this.#kept.set(epoch, set);
    return set;
  }
}

/** "validators/" ‖ be64(epoch). */
function keyOf(epoch: bigint): Uint8Array {
  const key = new Uint8Array(PREFIX.length + 8);
  key.set(PREFIX);
  writeBe64(key, PREFIX.length, epoch);
  return key;
}
