import { BlockReader } from '../ledger/block-store.js';
import { readSnapshotBase } from '../ledger/chain-meta.js';
import type { StoreReader } from '../storage/store.js';
import { RECENT_BLOCKS, type WholeBlockFacts } from '../vm/engine.js';

/** The facts about a block that its transactions can read. */
export interface BlockEnvironment {
  readonly chainId: bigint;
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly baseFee: bigint;
  /** Price of one opening slot; see `ledger/opening-slots.ts`. Only the inclusion of envelopes reads it. */
  readonly slotPrice: bigint;
  readonly gasLimit: bigint;
  /** Recipient of the priority fees: 40 lowercase hex digits. */
  readonly proposer: string;
  /** Whether it is a development chain, where development controls take effect; see `ledger/dev-controls.ts`. */
  readonly isDevelopment?: boolean;
  /** Hashes of the block's uncommitted ancestors, the parent's first, 32 bytes each; absent if there are none. */
  readonly pendingHashes?: readonly Uint8Array[];
}

/** Returns the hash of a committed block, 32 bytes, or undefined if there is none at this height. */
export type CommittedHash = (height: bigint) => Uint8Array | undefined;

export function committedHashes(store: StoreReader): CommittedHash {
  const blocks = new BlockReader(store);
  return (height) => {
    const stored = blocks.header(height);
    // Other nodes have the block: undefined would differ from their result.
    if (stored === undefined && height <= (readSnapshotBase(store) ?? -1n)) {
      throw new Error(`block ${height} was requested, but this node began with a snapshot of a later one`);
    }
    return stored?.hash;
  };
}

/** The block of a transaction, as engines read it. */
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
