import type { ExcludedCandidate } from '../execution/block-execution.js';
import type { BlockDraw, Selection } from '../mempool/draw/block-draw.js';
import type { FillPolicy } from './fill-policy.js';
import type { BlockRoom } from './sealed/open-block.js';

/** Where waves come from. */
export type WaveSource = Pick<BlockDraw, 'next' | 'settle'>;

/** What is given, and nothing after it. */
export function singleWave(selection: Selection): WaveSource {
  return { next: () => selection, settle: () => false };
}

/** The candidates of a block, drawn wave by wave as long as it has room and the pace allows it. */
export class BlockWaves {
  readonly #source: WaveSource;
  readonly #fillPolicy: FillPolicy;
  readonly #onWave: (wave: Selection) => void;
  readonly #started = performance.now();
  #all: Selection = { transactions: [], bundles: [] };
  #offset = 0;

  /** @param onWave told of every wave before it is executed */
  constructor(source: WaveSource, pace: FillPolicy, onWave: (wave: Selection) => void) {
    this.#source = source;
    this.#fillPolicy = pace;
    this.#onWave = onWave;
  }

  /** All that was drawn so far, in its order. */
  get candidates(): Selection {
    return this.#all;
  }

  /** The first wave; undefined where there is nothing to draw. */
  first(room: BlockRoom): Selection | undefined {
    const expectedGas = this.#fillPolicy.firstGas();
    return this.#take(this.#source.next(expectedGas === undefined ? room : { ...room, expectedGas }));
  }

  /**
   * The wave after one that was executed.
   * @param gasUsed by the block so far
   * @returns undefined where the block is as full as it gets, or its time is up
   */
  next(leftOut: readonly ExcludedCandidate[], room: BlockRoom, gasUsed: bigint): Selection | undefined {
    const notIncluded = leftOut.map(({ index, problem }) => ({
      place: index - this.#offset,
      isTooLarge: problem === 'block_full',
    }));
    // Also the last wave says how fast execution is, with the time that it wasted.
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
