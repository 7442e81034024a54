import type { BlockFacts, BlockHash, Certificate } from './types.js';

/** `held`: the shell has the bytes; `verifying`: awaiting a verdict. */
type BlockStatus = 'held' | 'verifying' | 'valid' | 'invalid';

/** A block above the last committed one. */
export interface BlockRecord {
  readonly facts: BlockFacts;
  status: BlockStatus;
  journaled: boolean;
  /** Whether the last verification knew that the block is notarized. */
  verifiedAsNotarized: boolean;
  /** Time before which a withheld verdict is not requested again. */
  retryAtMs: number;
}

/** Blocks whose bytes the shell holds, and their notarizations. */
export class BlockIndex {
  readonly #records = new Map<BlockHash, BlockRecord>();
  /** The highest notarization of each block that is not final, including blocks not held. */
  readonly #notarized = new Map<BlockHash, Certificate>();
  /** Views whose leader has already pushed a block; it may push only one. */
  readonly #pushed = new Set<number>();

  get(hash: BlockHash): BlockRecord | undefined {
    return this.#records.get(hash);
  }

  add(facts: BlockFacts, status: 'held' | 'valid', journaled = false): BlockRecord {
    const record = { facts, status, journaled, verifiedAsNotarized: false, retryAtMs: 0 };
    this.#records.set(facts.hash, record);
    return record;
  }

  get size(): number {
    return this.#records.size;
  }

  /** All records in order of arrival. */
  values(): Iterable<BlockRecord> {
    return this.#records.values();
  }

  remove(hash: BlockHash): void {
    this.#records.delete(hash);
  }

  wasPushed(view: number): boolean {
    return this.#pushed.has(view);
  }

  notePush(view: number): void {
    this.#pushed.add(view);
  }

  noteNotarized(certificate: Certificate): void {
    const known = this.#notarized.get(certificate.hash);
    if (known === undefined || known.view < certificate.view)
      this.#notarized.set(certificate.hash, certificate);
  }

  notarizationOf(hash: BlockHash): Certificate | undefined {
    return this.#notarized.get(hash);
  }

  /**
   * Removes blocks made obsolete by a commit: all up to its height, and those that can no longer be notarized.
   * @returns hashes that the shell can drop too
   */
  prune(
    committed: ReadonlySet<BlockHash>,
    height: number,
    finalizedView: number,
    epoch: number,
  ): BlockHash[] {
    const dropped: BlockHash[] = [];
    for (const [hash, { facts }] of this.#records) {
      const left = facts.height <= height || (facts.epoch === epoch && facts.view <= finalizedView);
      if (!left) continue;
      this.#records.delete(hash);
      if (!committed.has(hash)) dropped.push(hash);
    }
    for (const [hash, { view }] of this.#notarized) if (view <= finalizedView) this.#notarized.delete(hash);
    for (const view of this.#pushed) if (view <= finalizedView) this.#pushed.delete(view);
    return dropped;
  }
}
