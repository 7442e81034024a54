import { readBe64 } from '../storage/big-endian.js';
import type { Store, StoreReader } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';

const KEY = Buffer.from('dev_facts');

export interface HeldSnapshot {
  readonly id: bigint;
  readonly height: bigint;
}

/** Facts of a development chain's controls that outlive the process. */
export interface DevFacts {
  /** Lead of the chain's clock over the node's, in milliseconds; negative if it lags. */
  readonly clockLeadMs: number;
  /** The greatest id that a snapshot has had; 0 before the first one. */
  readonly lastSnapshot: bigint;
  /** Ascending by id and height. */
  readonly snapshots: readonly HeldSnapshot[];
}

const NOTHING: DevFacts = { clockLeadMs: 0, lastSnapshot: 0n, snapshots: [] };

/** Keeps {@link DevFacts} in the store: i64be lead ‖ u64be last id ‖ u64be id ‖ u64be height of each snapshot. */
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
    return this.#facts.snapshots[0]?.height;
  }

  /** @throws StoreError */
  async write(changes: Partial<DevFacts>): Promise<void> {
    const facts = { ...this.#facts, ...changes };
    const { clockLeadMs, lastSnapshot, snapshots } = facts;
    const words = [BigInt(clockLeadMs), lastSnapshot, ...snapshots.flatMap(({ id, height }) => [id, height])];
    const bytes = new Uint8Array(8 * words.length);
    const view = new DataView(bytes.buffer);
    for (const [index, word] of words.entries()) view.setBigInt64(8 * index, word);
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
  const snapshots: HeldSnapshot[] = [];
  for (let at = 16; at < bytes.length; at += 16) {
    snapshots.push({ id: readBe64(bytes, at), height: readBe64(bytes, at + 8) });
  }
  const clockLeadMs = Number(BigInt.asIntN(64, readBe64(bytes, 0)));
  return { clockLeadMs, lastSnapshot: readBe64(bytes, 8), snapshots };
}
