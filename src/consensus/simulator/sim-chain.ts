import type { Certificate } from '../core/types.js';
import { GENESIS, type SimBlock } from './model.js';

/** A validator's chain and pool. Committed blocks and the pool survive a crash; pending blocks do not. */
export class SimChain {
  /** Finalization of the last commit. */
  finalization: Certificate | undefined;
  /** Transactions not yet in a final block. */
  readonly pool = new Set<number>();
  #committed: SimBlock[] = [GENESIS];
  #pending = new Map<string, SimBlock>();
  #verified = new Set<string>();
  readonly #done = new Set<number>();
  readonly #hashes = new Map<string, SimBlock>();

  get height(): number {
    return this.#committed.length - 1;
  }

  get tip(): SimBlock {
    return this.#committed.at(-1) ?? GENESIS;
  }

  at(height: number): SimBlock | undefined {
    return this.#committed[height];
  }

  /** Returns a block that this node holds, or undefined. */
  held(hash: string): SimBlock | undefined {
    return this.#pending.get(hash) ?? this.#hashes.get(hash);
  }

  hold(block: SimBlock): void {
    this.#pending.set(block.hash, block);
  }

  drop(hash: string): void {
    this.#pending.delete(hash);
  }

  noteVerified(hash: string): void {
    this.#verified.add(hash);
  }

  /** Forgets that a block was verified. */
  release(hash: string): void {
    this.#verified.delete(hash);
  }

  /** True if a block can be built on: the last committed one, or a verified one above it. */
  isVerified(hash: string): boolean {
    return hash === this.tip.hash || this.#verified.has(hash);
  }

  append(block: SimBlock): void {
    this.#committed.push(block);
    this.#hashes.set(block.hash, block);
    this.#pending.delete(block.hash);
    for (const transaction of block.transactions) {
      this.pool.delete(transaction);
      this.#done.add(transaction);
    }
  }

  addTransaction(transaction: number): void {
    if (!this.#done.has(transaction)) this.pool.add(transaction);
  }

  /** Drops pending blocks when the process stops. */
  forgetPending(): void {
    this.#pending = new Map();
    this.#verified = new Set();
  }

  wipe(): void {
    this.#committed = [GENESIS];
    this.#hashes.clear();
    this.finalization = undefined;
  }
}
