import type { Crypto } from '../crypto/crypto.js';
import { slotsReservedBy } from '../execution/sealed/opening-schedule.js';
import { CommittedState } from '../execution/state-source.js';
import type { StateWrite } from '../execution/state-writes.js';
import { WorldState } from '../execution/world-state.js';
import type { Genesis, ValidatorSet } from '../generated/ledger.js';
import { AccountCache, type AccountChange } from '../ledger/account-cache.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { parametersOf } from '../ledger/validators/parameters.js';
import { ValidatorSets } from '../ledger/validators/validator-sets.js';
import type { StoreReader } from '../storage/store.js';
import type { ChainTip, CommittedChain } from './committed-chain.js';
import { type EpochState, readEpochState } from './epochs/epoch-state.js';

/** Maximum number of accounts cached on the main thread, about 400 bytes each. */
const CACHED_ACCOUNTS = 50_000;

export interface CommittedTip extends ChainTip {
  readonly epochs: EpochState;
  /** Number of opening slots reserved by the block; see `ledger/opening-slots.ts`. */
  readonly slots: number;
}

export interface CommittedBlock extends CommittedTip {
  readonly transactions: readonly VerifiedTransaction[];
  readonly accounts: readonly AccountChange[];
  readonly writes: readonly Pick<StateWrite, 'key'>[];
}

/**
 * Order in which commit listeners are called, independent of when they subscribed. The tip and its accounts have
 * already changed.
 *
 * - `calls`: invalidates the workers' cached state before any call runs at the new height.
 * - `tip`: publishes the new tip to the front threads before clients hear about the block.
 * - `pool`: removes included transactions and notifies their waiters.
 * - `validators`: updates permitted connections and holders of group key shares.
 * - `pruning`, `checkpoints`: follow-up work.
 */
const COMMIT_ORDER = ['calls', 'tip', 'pool', 'validators', 'pruning', 'checkpoints'] as const;

export type CommitStage = (typeof COMMIT_ORDER)[number];
type CommitListener = (block: CommittedBlock) => void;

/** The committed chain on the main thread: tip, validator sets, hot accounts. Only {@link advance} changes it. */
export class Chain implements CommittedChain {
  readonly genesis: Genesis;
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  /** 0, or the height after the snapshot that the chain was restored from. */
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
    readonly firstHeight?: bigint;
  }) {
    const { store, crypto, genesis, genesisBlock, tip, firstHeight = 0n } = options;
    this.genesis = genesis;
    this.firstHeight = firstHeight;
    this.genesisHash = genesisBlock.hash;
    this.genesisStateRoot = genesisBlock.header.state_root;
    this.accounts = new AccountCache(store, crypto, CACHED_ACCOUNTS);
    const epochs = readEpochState(store, crypto, parametersOf(genesisBlock.header));
    const slots = slotsReservedBy(new WorldState(new CommittedState(store, crypto)), tip.header.height);
    this.#tip = { ...tip, epochs, slots };
    this.#sets = new ValidatorSets(store);
  }

  get tip(): CommittedTip {
    return this.#tip;
  }

  get finalizedHeight(): bigint {
    return this.#tip.header.height;
  }

  /** Validators of an epoch; undefined if the chain has not reached it, or was restored from a later snapshot. */
  validatorsAt(epoch: bigint): ValidatorSet | undefined {
    return this.#sets.of(epoch);
  }

  /** Advances the tip to a durably stored block and notifies the listeners. */
  advance(block: CommittedBlock): void {
    const { header, hash, epochs, slots } = block;
    this.#tip = { header, hash, epochs, slots };
    this.accounts.commit(block.header.height, block.accounts);
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(block);
  }

  /** Adds a listener for every commit, called in order of the stages. @returns a function that removes it */
  onCommit(stage: CommitStage, listener: CommitListener): () => void {
    const listeners = this.#listeners.get(stage);
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }
}
