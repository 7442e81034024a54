import { setImmediate } from 'node:timers/promises';
import type { BlockEnvironment } from '../block-environment.js';
import type { BlockExecution } from '../block-execution.js';
import { type BlockGroup, type GroupOutcomes, isPlain } from './group-outcomes.js';
import { mergeResult } from './merge-results.js';
import { isStillValid, type Writers } from './validate-reads.js';

export interface BlockMergerOptions {
  readonly env: BlockEnvironment;
  readonly groups: readonly BlockGroup[];
  readonly block: BlockExecution;
  readonly writers: Writers;
  readonly outcomes: GroupOutcomes;
  /** Called with accounts needed soon, so that they are read together. */
  readonly prefetch: ((addresses: Iterable<string>) => void) | undefined;
}

/** Groups validated per event loop tick: a worker may be waiting for its next task. */
const SLICE = 16;
/** Number of groups whose accounts are prefetched together. */
const PREFETCHED = 96;

/** Adds groups in block order: executes plain transactions, and merges valid outcomes of the others. */
export class BlockMerger {
  readonly #options: BlockMergerOptions;
  #cursor = 0;
  #gas = 0n;
  #kept = 0n;

  constructor(options: BlockMergerOptions) {
    this.#options = options;
  }

  /** Index of the first group that is not in the block. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The group at the cursor; undefined once all groups are in the block. */
  get next(): BlockGroup | undefined {
    return this.#options.groups[this.#cursor];
  }

  /** Total gas of the merged outcomes. */
  get gas(): bigint {
    return this.#gas;
  }

  /** The part of {@link gas} whose groups were tried before all groups ahead of them were in the block. */
  get kept(): bigint {
    return this.#kept;
  }

  /** Validates and merges outcomes up to the first group without a valid one. */
  async merge(): Promise<void> {
    const { groups, prefetch } = this.#options;
    let prefetched = 0;
    for (let since = 1; this.#cursor < groups.length; since++) {
      if (since % SLICE === 0) await setImmediate();
      if (this.#cursor >= prefetched) {
        prefetched = this.#cursor + PREFETCHED;
        prefetch?.(groups.slice(this.#cursor, prefetched).flatMap(addressesOf));
      }
      const group = groups[this.#cursor];
      if (group === undefined || !this.#add(group)) break;
      this.#cursor++;
    }
  }

  /** @returns false if the group has no valid outcome yet */
  #add(group: BlockGroup): boolean {
    const { env, block, outcomes, writers } = this.#options;
    const { state } = block;
    let gas = 0n;
    let kept = 0n;
    const added = block.addBy(group, (transaction, index) => {
      if (isPlain(transaction)) return block.execute(transaction);
      const result = outcomes.outcomeAt(index);
      if (result === undefined || !isStillValid(result, transaction, state, writers)) return undefined;
      const { gasUsed } = result.speculation;
      gas += gasUsed;
      if (result.task.from !== group.start) kept += gasUsed;
      return mergeResult(result, transaction, state, env);
    });
    if (added) {
      this.#gas += gas;
      this.#kept += kept;
    }
    return added;
  }
}

/** The accounts that a group is known to touch. */
function addressesOf({ members }: BlockGroup): string[] {
  return members.flatMap(({ sender, signed }) => {
    const { action } = signed.transaction;
    return action.type === 'transfer' ? [sender, Buffer.from(action.value.to).toString('hex')] : [sender];
  });
}
