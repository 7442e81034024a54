import type { CommittedChain } from '../../chain/committed-chain.js';
import { isDevelopmentChain } from '../../ledger/dev-genesis.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { KnownChain } from './kept-results.js';

/** A chain at the start of a call. */
export class ChainAtCall implements KnownChain {
  readonly finalized: bigint;
  readonly #chain: Pick<CommittedChain, 'tip'>;
  readonly #store: StoreReader;

  constructor(chain: Pick<CommittedChain, 'finalizedHeight' | 'tip'>, store: StoreReader) {
    this.finalized = chain.finalizedHeight;
    this.#chain = chain;
    this.#store = store;
  }

  get isDevelopment(): boolean {
    return isDevelopmentChain(this.#chain.tip.epochs.validators);
  }

  get oldestState(): bigint {
    return oldestHeight(this.#store);
  }
}
