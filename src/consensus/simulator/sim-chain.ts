import type { Certificate } from '../core/types.js';
import { GENESIS, type SimBlock } from './model.js';

/** A validator's chain and pool. What is committed survives a crash, as the pool does; blocks not final do not. */
export class SimChain {
  /** Of the last commit. */
  finalization: Certificate | undefined;
  /** Transactions that wait for a final block. */
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

  /** A block whose bytes are here. */
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

  /** It was verified, and that is forgotten. */
  release(hash: string): void {
    this.#verified.delete(hash);
  }

  /** Whether a block can be built on: the last one committed, or one verified above it. */
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

  /** The process stops. */
  forgetPending(): void {
    this.#pending = new Map();
    this.#verified = new Set();
  }

  /** The disk is empty. */
  wipe(): void {
    this.#committed = [GENESIS];
    this.#hashes.clear();
    this.finalization = undefined;
  }
}
