import type { Crypto } from '../crypto/crypto.js';
import type { StateCache } from '../execution/views/state-cache.js';
import type { AccountRecord, ValidatorSet } from '../generated/ledger.js';
import type { AddressHex } from '../ledger/hex-types.js';
import { ValidatorSets } from '../ledger/validators/validator-sets.js';
import type { StoreReader } from '../storage/store.js';
import type { CommittedChain } from './committed-chain.js';
import type { PublishedTip, TipReader } from './published-tip.js';

/** Properties of a chain that never change while a node runs. */
export interface ChainConstants {
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  readonly firstHeight: bigint;
}

/** The committed chain on threads without commit events: reads the published tip and the store. */
export class PublishedChain implements CommittedChain {
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  readonly firstHeight: bigint;
  readonly accounts: CommittedChain['accounts'];
  readonly #reader: TipReader;
  readonly #sets: ValidatorSets;

  constructor(
    constants: ChainConstants,
    reader: TipReader,
    parts: { readonly store: StoreReader; readonly crypto: Crypto; readonly cache: StateCache },
  ) {
    this.genesisHash = constants.genesisHash;
    this.genesisStateRoot = constants.genesisStateRoot;
    this.firstHeight = constants.firstHeight;
    this.#reader = reader;
    this.#sets = new ValidatorSets(parts.store);
    this.accounts = {
      account: (address: AddressHex): AccountRecord =>
        parts.cache.at(this.tip.header.height).account(address).record,
    };
  }

  /** A consistent snapshot, for callers that need more than the tip. */
  get published(): PublishedTip {
    return this.#reader.published;
  }

  get tip(): CommittedChain['tip'] {
    return this.#reader.published.tip;
  }

  get finalizedHeight(): bigint {
    return this.tip.header.height;
  }

  validatorsAt(epoch: bigint): ValidatorSet | undefined {
    return this.#sets.of(epoch);
  }
}
