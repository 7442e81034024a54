import type { Crypto } from '../crypto/crypto.js';
import { recordKey, slotKey } from '../ledger/state-keys.js';
import { latin1 } from '../storage/latin1.js';
import { decodeWrites, type PendingWrites, type SharedWrites } from './pending-writes.js';
import { type AccountEntry, LayeredState, type StateEntry, type StateSource } from './state-source.js';

/** The state after a branch: the writes of its blocks over the committed state. */
class BranchState extends LayeredState {
  readonly #crypto: Crypto;
  /** Latest block first. */
  readonly #blocks: readonly PendingWrites[];

  constructor(committed: StateSource, crypto: Crypto, blocks: readonly PendingWrites[]) {
    super(committed);
    this.#crypto = crypto;
    this.#blocks = blocks;
  }

  override account(address: string): AccountEntry {
    for (const { accounts } of this.#blocks) {
      const entry = accounts.get(address);
      if (entry !== undefined) return entry;
    }
    return this.source.account(address);
  }

  override slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    return this.#entry(slotKey(this.#crypto, contract, slot)) ?? this.source.slot(contract, slot);
  }

  override record(name: Uint8Array): StateEntry {
    return this.#entry(recordKey(this.#crypto, name)) ?? this.source.record(name);
  }

  /** Returns the branch's last write under a key, or undefined if there is none. */
  #entry(key: Uint8Array): StateEntry | undefined {
    const name = latin1(key);
    for (const { entries } of this.#blocks) {
      if (entries.has(name)) return { key, raw: entries.get(name) };
    }
    return undefined;
  }

  override code(hash: Uint8Array): Uint8Array | undefined {
    const name = latin1(hash);
    for (const { codes } of this.#blocks) {
      const code = codes.get(name);
      if (code !== undefined) return code;
    }
    return this.source.code(hash);
  }
}

/** @param committed returned as is for an empty branch @param blocks the committed block's child first */
export function branchState(
  committed: StateSource,
  crypto: Crypto,
  blocks: readonly PendingWrites[],
): StateSource {
  return blocks.length === 0 ? committed : new BranchState(committed, crypto, blocks.toReversed());
}

/** Number of pending blocks whose decoded writes a worker keeps: two branches of maximum length. */
const KEPT_BLOCKS = 32;

/** A worker's cache of the decoded writes of pending blocks; evicts the least recently used. */
export class DecodedWrites {
  readonly #blocks = new Map<number, PendingWrites>();

  of(branch: readonly SharedWrites[]): readonly PendingWrites[] {
    const writes = branch.map((shared) => {
      const decoded = this.#blocks.get(shared.id) ?? decodeWrites(shared);
      this.#blocks.delete(shared.id);
      this.#blocks.set(shared.id, decoded);
      return decoded;
    });
    // Only now: a branch longer than the cache would evict its own blocks before they are read.
    for (const id of this.#blocks.keys()) {
      if (this.#blocks.size <= KEPT_BLOCKS) break;
      this.#blocks.delete(id);
    }
    return writes;
  }
}
