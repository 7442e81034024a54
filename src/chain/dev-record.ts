import { readBe64 } from '../storage/big-endian.js';
import type { Store, StoreReader } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';

const KEY = Buffer.from('dev_controls');

/** Facts of a development chain's controls that outlive the process. */
export interface DevFacts {
  /** Lead of the chain's clock over the node's, in milliseconds; negative if it lags. */
  readonly clockLeadMs: number;
  /** Heights of the snapshots, ascending. */
  readonly snapshots: readonly bigint[];
}

const NOTHING: DevFacts = { clockLeadMs: 0, snapshots: [] };

/** Keeps {@link DevFacts} in the store: i64be lead ‖ u64be height of each snapshot. */
export class DevRecord {
  readonly #store: Store;
  #facts: DevFacts;

  constructor(store: Store) {
    this.#store = store;
    this.#facts = read(store);
  }

  get facts(): DevFacts {
    return this.#facts;
  }

  /** The lowest height whose state must be kept. */
  get oldestHeld(): bigint | undefined {
    return this.#facts.snapshots[0];
  }

  /** @throws StoreError */
  async write(changes: Partial<DevFacts>): Promise<void> {
    const facts = { ...this.#facts, ...changes };
    const { clockLeadMs, snapshots } = facts;
    const bytes = new Uint8Array(8 + 8 * snapshots.length);
    const view = new DataView(bytes.buffer);
    view.setBigInt64(0, BigInt(clockLeadMs));
    for (const [index, height] of snapshots.entries()) view.setBigUint64(8 + 8 * index, height);
    const batch = new WriteBatch();
    batch.put('meta', KEY, bytes);
    // Effective at once, so that pruning in progress does not pass a new snapshot.
    this.#facts = facts;
    await this.#store.write(batch, { sync: true });
  }
}

function read(store: StoreReader): DevFacts {
  const bytes = store.get('meta', KEY);
  if (bytes === undefined) return NOTHING;
  const snapshots: bigint[] = [];
  for (let at = 8; at < bytes.length; at += 8) snapshots.push(readBe64(bytes, at));
  return { clockLeadMs: Number(BigInt.asIntN(64, readBe64(bytes, 0))), snapshots };
}
