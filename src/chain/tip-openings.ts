import { scheduledOpenings } from '../execution/sealed/opening-schedule.js';
import type { StateSource } from '../execution/state-source.js';
import { WorldState } from '../execution/world-state.js';
import type { CommittedChain } from './committed-chain.js';

/** The opening slots reserved at each height after the last committed block. */
export class TipOpenings {
  readonly #chain: CommittedChain;
  readonly #stateAt: (height: bigint) => StateSource;
  #known: { readonly height: bigint; readonly reserved: ReadonlyMap<bigint, number> } | undefined;

  /** @param stateAt the state after the block of a height; called with the height of the tip */
  constructor(chain: CommittedChain, stateAt: (height: bigint) => StateSource) {
    this.#chain = chain;
    this.#stateAt = stateAt;
  }

  /** Number of slots reserved at an opening height. Read once for each tip. */
  reservedAt(opensAt: bigint): number {
    const { height } = this.#chain.tip.header;
    if (this.#known?.height !== height) {
      const openings = scheduledOpenings(new WorldState(this.#stateAt(height)));
      this.#known = { height, reserved: new Map(openings.map((one) => [one.height, one.slots])) };
    }
    return this.#known.reserved.get(opensAt) ?? 0;
  }
}
