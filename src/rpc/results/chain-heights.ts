import type { CommittedChain } from '../../chain/committed-chain.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { KnownHeights } from './kept-results.js';

/** The heights of a chain at the start of a call. */
export class ChainHeights implements KnownHeights {
  readonly finalized: bigint;
  readonly #store: StoreReader;

  constructor(chain: Pick<CommittedChain, 'finalizedHeight'>, store: StoreReader) {
    this.finalized = chain.finalizedHeight;
    this.#store = store;
  }

  get oldestState(): bigint {
    return oldestHeight(this.#store);
  }
}
