import type { CommittedChain } from '../../chain/committed-chain.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { KnownChain } from './kept-results.js';

/** A chain at the start of a call. */
export class ChainAtCall implements KnownChain {
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
