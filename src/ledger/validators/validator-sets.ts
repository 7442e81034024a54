import { LRUCache } from 'lru-cache';
import { concatBytes } from '../../base/concat-bytes.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import { be64 } from '../../storage/big-endian.js';
import type { StoreReader } from '../../storage/store.js';
import type { WriteBatch } from '../../storage/write-batch.js';
import { ledger } from '../codecs.js';

const PREFIX = Buffer.from('validators/');

/** Number of cached sets, at most about 15 KB each. */
const KEPT = 64;

/** Stores an epoch's validator set; it is never pruned. */
export function putValidatorSet(batch: WriteBatch, set: ValidatorSet): void {
  batch.put('meta', keyOf(set.epoch), ledger.ValidatorSet.encode(set));
}

/** Validator sets of all stored epochs; usable in any thread. */
export class ValidatorSets {
  readonly #store: StoreReader;
  readonly #kept = new LRUCache<bigint, ValidatorSet>({ max: KEPT });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The set of an epoch; undefined if the chain has not reached it or starts from a later snapshot. */
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
  return concatBytes([PREFIX, be64(epoch)]);
}
