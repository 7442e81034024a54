import { sameBytes } from '../../../base/same-bytes.js';
import type { ValidatorSet } from '../../../generated/ledger.js';
import { toHex } from '../../../idl/hex.js';
import { be64, readBe64 } from '../../../storage/big-endian.js';
import type { Column } from '../../../storage/columns.js';
import { STATE_KEY_BYTES, TIP_KEY } from '../../../storage/state.js';
import type { Entry, ScanRange, StoreReader } from '../../../storage/store.js';
import type { ResharingBlock, ResharingChain } from '../../resharing/resharing.js';
import { CHAIN_ID, type FinalBlocks } from './final-blocks.js';

/** The chain as one process has it: final blocks up to its tip, with the states that its disk keeps. */
export class FollowedChain implements ResharingChain {
  readonly genesis = { chain_id: CHAIN_ID };
  readonly #blocks: FinalBlocks;
  readonly #isPruned: boolean;
  readonly #listeners: ((block: ResharingBlock) => void)[] = [];
  height: bigint;

  /** @param isPruned whether the disk keeps the last state only */
  constructor(blocks: FinalBlocks, height: bigint, isPruned: boolean) {
    this.#blocks = blocks;
    this.height = height;
    this.#isPruned = isPruned;
  }

  get tip(): ResharingBlock {
    return { header: { height: this.height }, epochs: this.#blocks.at(this.height) };
  }

  onCommit(_stage: 'validators', listener: (block: ResharingBlock) => void): void {
    this.#listeners.push(listener);
  }

  validatorsAt(epoch: bigint): ValidatorSet | undefined {
    return epoch <= this.tip.epochs.validators.epoch ? this.#blocks.setOf(epoch) : undefined;
  }

  /** Takes the next final block. */
  commit(): void {
    this.height++;
    const { tip } = this;
    for (const listener of this.#listeners) listener(tip);
  }

  encodedItems(height: bigint): Uint8Array[] {
    return height > this.height ? [] : [...(this.#blocks.block(height)?.encodedItems ?? [])];
  }

  /** The part of the store that holds the states. */
  get store(): StoreReader {
    return {
      get: (column, key) => this.#get(column, key),
      getMany: (column, keys) => keys.map((key) => this.#get(column, key)),
      scan: (column, range) => this.#scan(column, range),
      close: async () => undefined,
    };
  }

  #get(column: Column, key: Uint8Array): Uint8Array | undefined {
    if (column === 'state') return this.tip.epochs.entries.get(toHex(key));
    if (column !== 'meta') return undefined;
    // The other entry of `meta` that is read: the oldest height whose state is kept.
    return sameBytes(key, TIP_KEY) || this.#isPruned ? be64(this.height) : undefined;
  }

  /** The first replaced entry of a key at a height or later. */
  *#scan(column: Column, { gte }: ScanRange): IterableIterator<Entry> {
    if (column !== 'history' || gte === undefined || this.#isPruned) return;
    const from = readBe64(gte, STATE_KEY_BYTES);
    const key = gte.subarray(0, STATE_KEY_BYTES);
    for (const { height, raw } of this.#blocks.replaced(toHex(key))) {
      if (height < from || height > this.height) continue;
      yield [Uint8Array.from([...key, ...be64(height)]), raw];
      return;
    }
  }
}
