import type { Crypto } from '../crypto/crypto.js';
import type { StateWrite } from '../execution/state-writes.js';
import type { BlockHeader, Genesis, Validator, ValidatorSet } from '../generated/ledger.js';
import { AccountCache, type AccountChange } from '../ledger/account-cache.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { StoreReader } from '../storage/store.js';

/** The most accounts that the main thread keeps in memory, some 400 bytes each. */
const CACHED_ACCOUNTS = 50_000;

/** A block and its name. */
export interface ChainTip {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
}

/** What a commit tells those who listen. */
export interface CommittedBlock extends ChainTip {
  readonly transactions: readonly VerifiedTransaction[];
  /** The accounts that it changed. */
  readonly accounts: readonly AccountChange[];
  /** Everything that it changed in the state. */
  readonly writes: readonly Pick<StateWrite, 'key'>[];
}

/** The committed chain as the main thread knows it: tip, validator set, hot accounts. Changes only by {@link commit}. */
export class Chain {
  readonly genesis: Genesis;
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  /** The lowest height whose block, receipts and indexes are stored: 0, or the one after the snapshot that the chain began with. */
  readonly firstHeight: bigint;
  readonly accounts: AccountCache;
  readonly #listeners = new Set<(block: CommittedBlock) => void>();
  #tip: ChainTip;

  constructor(options: {
    readonly store: StoreReader;
    readonly crypto: Crypto;
    readonly genesis: Genesis;
    readonly genesisBlock: ChainTip;
    readonly tip: ChainTip;
    /** Default 0. */
    readonly firstHeight?: bigint;
  }) {
    this.genesis = options.genesis;
    this.firstHeight = options.firstHeight ?? 0n;
    this.genesisHash = options.genesisBlock.hash;
    this.genesisStateRoot = options.genesisBlock.header.state_root;
    this.accounts = new AccountCache(options.store, options.crypto, CACHED_ACCOUNTS);
    this.#tip = options.tip;
  }

  /** The last committed block; with one validator it is final. */
  get tip(): ChainTip {
    return this.#tip;
  }

  get finalizedHeight(): bigint {
    return this.#tip.header.height;
  }

  get validatorSet(): ValidatorSet {
    return this.genesis.validator_set;
  }

  /** The validator with an index of the current set. */
  validator(index: number): Validator {
    const validator = this.validatorSet.validators[index];
    if (validator === undefined) throw new RangeError(`no validator ${index} in the set`);
    return validator;
  }

  /** Takes over a block that is durably stored. */
  commit(block: CommittedBlock): void {
    this.#tip = { header: block.header, hash: block.hash };
    this.accounts.commit(block.header.height, block.accounts);
    for (const listener of this.#listeners) listener(block);
  }

  /** Calls `listener` after every commit, in order; returns what ends that. */
  onCommit(listener: (block: CommittedBlock) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
