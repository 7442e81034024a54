import { BlockReader } from '../ledger/block-store.js';
import { readSnapshotBase } from '../ledger/chain-meta.js';
import type { StoreReader } from '../storage/store.js';
import { RECENT_BLOCKS, type WholeBlockFacts } from '../vm/engine.js';

/** What a transaction can know of the block it runs in. */
export interface BlockEnvironment {
  readonly chainId: bigint;
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Who gets the priority fees: 40 lowercase hex digits. */
  readonly proposer: string;
  /**
   * Hashes of the blocks before it that are not committed, its parent's first, 32 bytes each; left out where its parent is
   * committed.
   */
  readonly pendingHashes?: readonly Uint8Array[];
}

/** The hash of a committed block, 32 bytes; undefined where there is none of this height. */
export type CommittedHash = (height: bigint) => Uint8Array | undefined;

/** The hashes of the blocks in a store. */
export function committedHashes(store: StoreReader): CommittedHash {
  const blocks = new BlockReader(store);
  return (height) => {
    const stored = blocks.header(height);
    // Other nodes have it: an answer without it would be another than theirs.
    if (stored === undefined && height <= (readSnapshotBase(store) ?? -1n)) {
      throw new Error(`block ${height} is asked for, and this node began with a snapshot of a later one`);
    }
    return stored?.hash;
  };
}

/** The block around a transaction, as engines ask for it. */
export class EnvironmentFacts implements WholeBlockFacts {
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly chainId: bigint;
  readonly #env: BlockEnvironment;
  readonly #committed: CommittedHash;

  constructor(env: BlockEnvironment, committed: CommittedHash) {
    this.height = env.height;
    this.timestampMs = env.timestampMs;
    this.chainId = env.chainId;
    this.#env = env;
    this.#committed = committed;
  }

  get baseFee(): bigint {
    return this.#env.baseFee;
  }

  get gasLimit(): bigint {
    return this.#env.gasLimit;
  }

  get proposer(): Uint8Array {
    return Buffer.from(this.#env.proposer, 'hex');
  }

  hashOf(height: bigint): Uint8Array | undefined {
    const distance = this.height - height;
    if (height < 0n || distance < 1n || distance > RECENT_BLOCKS) return undefined;
    return this.#env.pendingHashes?.[Number(distance) - 1] ?? this.#committed(height);
  }
}
