import type { Crypto } from '../crypto/crypto.js';
import type { StateWrite } from '../execution/state-writes.js';
import type { Genesis, ValidatorSet } from '../generated/ledger.js';
import { AccountCache, type AccountChange } from '../ledger/account-cache.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { parametersOf } from '../ledger/validators/parameters.js';
import { ValidatorSets } from '../ledger/validators/validator-sets.js';
import type { StoreReader } from '../storage/store.js';
import type { ChainTip, CommittedChain } from './committed-chain.js';
import { type EpochState, readEpochState } from './epochs/epoch-state.js';

/** The most accounts that the main thread keeps in memory, some 400 bytes each. */
const CACHED_ACCOUNTS = 50_000;

/** The last committed block. */
export interface CommittedTip extends ChainTip {
  /** What the state says of validators after it. */
  readonly epochs: EpochState;
}

/** What a commit tells those who listen. */
export interface CommittedBlock extends CommittedTip {
  readonly transactions: readonly VerifiedTransaction[];
  /** The accounts that it changed. */
  readonly accounts: readonly AccountChange[];
  /** Everything that it changed in the state. */
  readonly writes: readonly Pick<StateWrite, 'key'>[];
}

/**
 * Who hears of a commit, in this order, whoever subscribed first; the tip and its accounts have changed before.
 *
 * - `calls`: what workers keep of the state is marked as changed, before anything can be asked of them at the new height.
 * - `tip`: threads that answer by themselves read the new tip, before anybody can be told of what is in the block.
 * - `pool`: what was included leaves; those who wait for it are told.
 * - `validators`: who may connect, and who gets shares of the group key.
 * - `pruning`, `checkpoints`: work that follows later.
 */
const COMMIT_ORDER = ['calls', 'tip', 'pool', 'validators', 'pruning', 'checkpoints'] as const;

export type CommitStage = (typeof COMMIT_ORDER)[number];
type CommitListener = (block: CommittedBlock) => void;

/** The committed chain as the main thread knows it: tip, validator sets, hot accounts. Changes only by {@link advance}. */
export class Chain implements CommittedChain {
  readonly genesis: Genesis;
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  /** The lowest height whose block, receipts and indexes are stored: 0, or the one after the snapshot that the chain began with. */
  readonly firstHeight: bigint;
  readonly accounts: AccountCache;
  readonly #listeners = new Map<CommitStage, Set<CommitListener>>(
    COMMIT_ORDER.map((stage) => [stage, new Set()]),
  );
  readonly #sets: ValidatorSets;
  #tip: CommittedTip;

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
    const parameters = parametersOf(options.genesisBlock.header);
    this.#tip = { ...options.tip, epochs: readEpochState(options.store, options.crypto, parameters) };
    this.#sets = new ValidatorSets(options.store);
  }

  /** The last committed block, which is final. */
  get tip(): CommittedTip {
    return this.#tip;
  }

  get finalizedHeight(): bigint {
    return this.#tip.header.height;
  }

  /** The validators of an epoch; undefined where the chain is not that far, or began with a later snapshot. */
  validatorsAt(epoch: bigint): ValidatorSet | undefined {
    return this.#sets.of(epoch);
  }

  /** Takes over a block that is durably stored, and tells the listeners. */
  advance(block: CommittedBlock): void {
    this.#tip = { header: block.header, hash: block.hash, epochs: block.epochs };
    this.accounts.commit(block.header.height, block.accounts);
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(block);
  }

  /** Calls `listener` after every commit, when it is its stage's turn; returns what ends that. */
  onCommit(stage: CommitStage, listener: CommitListener): () => void {
    const listeners = this.#listeners.get(stage);
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }
}
