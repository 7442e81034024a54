import type { ExcludedCandidate } from '../execution/block-execution.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { BlockDraw, Selection } from '../mempool/draw/block-draw.js';
import type { BlockRoom } from './block-in-progress.js';
import type { FillPolicy } from './fill-policy.js';

export type WaveSource = Pick<BlockDraw, 'next' | 'settle'>;

export function singleWave(selection: Selection): WaveSource {
  return { next: () => selection, settle: () => false };
}

/** A source whose first wave are these transactions; those of another source follow. */
export function precededBy(first: readonly VerifiedTransaction[], rest: WaveSource): WaveSource {
  let isFirst = true;
  return {
    next: (room) => (isFirst ? { transactions: first, bundles: [] } : rest.next(room)),
    settle: (notIncluded, room) => {
      if (!isFirst) return rest.settle(notIncluded, room);
      isFirst = false;
      return true;
    },
  };
}

/** The candidates of a block, drawn in waves as long as the block has room and the fill policy allows. */
export class BlockWaves {
  readonly #source: WaveSource;
  readonly #fillPolicy: FillPolicy;
  readonly #onWave: (wave: Selection) => void;
  readonly #started = performance.now();
  #all: Selection = { transactions: [], bundles: [] };
  #offset = 0;

  /** @param onWave called with every wave before it is executed */
  constructor(source: WaveSource, fillPolicy: FillPolicy, onWave: (wave: Selection) => void) {
    this.#source = source;
    this.#fillPolicy = fillPolicy;
    this.#onWave = onWave;
  }

  get candidates(): Selection {
    return this.#all;
  }

  /** The first wave; undefined if there is nothing to draw. */
  first(room: BlockRoom): Selection | undefined {
    const expectedGas = this.#fillPolicy.firstGas();
    return this.#take(this.#source.next(expectedGas === undefined ? room : { ...room, expectedGas }));
  }

  /**
   * Returns the next wave after the previous one was executed.
   * @param gasUsed gas used by the block so far
   * @returns undefined if the block is full or its time is up
   */
  next(excluded: readonly ExcludedCandidate[], room: BlockRoom, gasUsed: bigint): Selection | undefined {
    const notIncluded = excluded.map(({ index, problem }) => ({
      place: index - this.#offset,
      isTooLarge: problem === 'block_full',
    }));
    // The last wave is measured too: it shows the execution speed and the overrun.
    const expectedGas = this.#fillPolicy.gasFor(gasUsed, performance.now() - this.#started);
    if (!this.#source.settle(notIncluded, room)) return undefined;
    return expectedGas === 0n ? undefined : this.#take(this.#source.next({ ...room, expectedGas }));
  }

  #take(wave: Selection): Selection | undefined {
    if (wave.transactions.length === 0) return undefined;
    const { transactions, bundles } = this.#all;
    const offset = transactions.length;
    this.#offset = offset;
    this.#all =
      offset === 0
        ? wave
        : {
            transactions: transactions.concat(wave.transactions),
            bundles: bundles.concat(wave.bundles.map((span) => ({ ...span, start: span.start + offset }))),
          };
    this.#onWave(wave);
    return wave;
  }
}
