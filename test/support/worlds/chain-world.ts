import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tipAccounts } from '../../../src/chain/account-views.js';
import { BlockChain } from '../../../src/chain/block-chain.js';
import { BlockExecutor } from '../../../src/chain/block-executor.js';
import { BlockImport } from '../../../src/chain/block-import.js';
import type { Chain } from '../../../src/chain/chain.js';
import { EpochRules } from '../../../src/chain/epochs/epoch-rules.js';
import { ItemChecks } from '../../../src/chain/epochs/item-checks.js';
import { timedExecution } from '../../../src/chain/executed-candidates.js';
import { Containment } from '../../../src/chain/faults/containment.js';
import { ExecutionMarker } from '../../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../../src/chain/faults/fault-record.js';
import { SoloFillPolicy } from '../../../src/chain/fill-policy.js';
import { openChain, storedTip } from '../../../src/chain/open-chain.js';
import { PendingBlocks } from '../../../src/chain/pending-blocks.js';
import { type ProposalContext, Proposer } from '../../../src/chain/propose-block.js';
import { TipOpenings } from '../../../src/chain/tip-openings.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { type DevAccount, devAccounts } from '../../../src/crypto/dev-accounts.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import { SignatureChecker } from '../../../src/execution/signature-checker.js';
import { CommittedState } from '../../../src/execution/state-source.js';
import type { Action, Genesis } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { nextBaseFee } from '../../../src/ledger/fees.js';
import { nextSlotPrice } from '../../../src/ledger/opening-slots.js';
import {
  type OpenTransaction,
  type TransactionEnvelope,
  transactionFromSigned,
  transactionHash,
  type VerifiedTransaction,
} from '../../../src/ledger/transaction-envelope.js';
import { Mempool } from '../../../src/mempool/pool.js';
import {
  DEFAULT_POOL_LIMITS,
  type NextBlockContext,
  type PoolLimits,
} from '../../../src/mempool/pool-types.js';
import type { BlockRoots, BlockRootsInput } from '../../../src/proofs/block-roots.js';
import { ProofService } from '../../../src/proofs/proof-service.js';
import { writeTree } from '../../../src/proofs/write-tree.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { Store } from '../../../src/storage/store.js';
import { asVerified } from '../crypto/as-verified.js';
import { NATIVE_MODES } from '../native-modes.js';
import { withWriteHook } from '../nodes/write-hook.js';

const [NATIVE = 'auto'] = NATIVE_MODES;
const TRANSFER_GAS = 30_000n;

function raise(error: unknown): never {
  throw error;
}

export interface ChainWorldOptions {
  /** Number of execution workers; default 1. */
  readonly workers?: number;
  /** Called before each block is written; a throw prevents the write. */
  readonly onWrite?: (sync: boolean) => void;
  /** Default: the development chain's genesis. */
  readonly genesis?: Genesis;
  /** Limits of the pool that differ from the defaults. */
  readonly limits?: Partial<PoolLimits>;
}

/** Below the default, because the pool allocates space for all removals when it opens. */
const MAX_REMOVALS = 1_000;

/** Fields of a transaction besides its action. */
export interface Sending {
  /** A development account; default 0. */
  readonly from?: number;
  /** Default: this chain's. */
  readonly chainId?: bigint;
  readonly lane?: number;
  readonly nonce?: bigint;
  readonly gasLimit?: bigint;
  readonly priorityFee?: bigint;
  readonly maxFee?: bigint;
  readonly validUntil?: bigint;
  readonly action?: Action;
  /** Recipient of the transfer that is sent if there is no action. */
  readonly to?: Uint8Array;
  readonly amount?: bigint;
}

/**
 * Forwards calls to the proof worker. Tracks the blocks whose roots the worker holds: those requested and neither
 * dropped nor committed.
 */
export class CountedRoots implements Pick<ProofService, 'blockRoots' | 'drop' | 'commit' | 'newBlockId'> {
  readonly open = new Set<number>();
  /** Ids of dropped blocks, in the order of the drops. */
  readonly dropped: number[] = [];
  readonly #proofs: ProofService;

  constructor(proofs: ProofService) {
    this.#proofs = proofs;
  }

  async blockRoots(block: BlockRootsInput): Promise<BlockRoots> {
    const roots = await this.#proofs.blockRoots(block);
    this.open.add(roots.id);
    return roots;
  }

  newBlockId(): number {
    return this.#proofs.newBlockId();
  }

  drop(id: number): void {
    this.open.delete(id);
    this.dropped.push(id);
    this.#proofs.drop(id);
  }

  commit(id: number, tip: Parameters<ProofService['commit']>[1]): void {
    this.open.delete(id);
    this.#proofs.commit(id, tip);
  }
}

/** A chain with its pool, without a node around it: the real store, proof worker, executor and signature checks. */
export class ChainWorld {
  /** The native mode of its parts. */
  readonly native = NATIVE;
  readonly pending: PendingBlocks;
  readonly blockChain: BlockChain;
  /** Creates an import for another world's blocks. */
  readonly newImport: () => BlockImport;
  readonly pool: Mempool;
  readonly openings: TipOpenings;
  readonly accounts: readonly DevAccount[];
  readonly roots: CountedRoots;
  /** Executes proposed and verified blocks. */
  readonly executor: BlockExecutor;
  readonly #workers: ExecutionPool;
  readonly #executionMarker: ExecutionMarker;
  #arrivals = 0;

  private constructor(
    readonly directory: string,
    readonly crypto: Crypto,
    readonly store: Store,
    readonly proofs: ProofService,
    readonly chain: Chain,
    { workers = 1, onWrite = () => undefined, limits = {} }: ChainWorldOptions,
  ) {
    this.accounts = devAccounts(crypto);
    this.#workers = new ExecutionPool({
      setup: { native: NATIVE, store: store.handle },
      workers,
    });
    this.roots = new CountedRoots(proofs);
    this.pending = new PendingBlocks(
      () => chain.tip,
      ({ roots }) => this.roots.drop(roots.id),
    );
    this.openings = new TipOpenings(chain, () => new CommittedState(store, crypto));
    const marks = ExecutionMarker.open(directory, raise);
    this.#executionMarker = marks.marker;
    this.pool = new Mempool({
      chainId: chain.tip.header.chain_id,
      head: this.head(),
      accounts: tipAccounts(chain),
      reservedAt: (opensAt) => this.openings.reservedAt(opensAt),
      now: () => 0,
      rejectionReason: () => undefined,
      limits: { ...DEFAULT_POOL_LIMITS, maxRemovals: MAX_REMOVALS, ...limits },
      onRemoval: () => undefined,
      onBundleRemoval: () => undefined,
    });
    chain.onCommit('pool', (block) =>
      this.pool.applyBlock({
        head: this.head(),
        included: block.transactions,
        changed: block.accounts.map(({ address }) => address),
      }),
    );
    const sharing = { workers: this.#workers, predictions: { of: () => undefined } };
    const executor = new BlockExecutor(chain.accounts, store, crypto, this.#workers, sharing);
    const checker = new SignatureChecker(this.#workers);
    this.executor = executor;
    const parts = {
      chain,
      pending: this.pending,
      crypto,
      store: withWriteHook(store, onWrite),
      proofs: this.roots,
      executor,
      verifySignature: (transaction: TransactionEnvelope) => checker.verify(transaction),
      epochRules: new EpochRules(crypto, this.#workers, new ItemChecks(crypto, this.#workers)),
    };
    const containment = new Containment({
      pool: this.pool,
      record: FaultRecord.open(directory, marks, raise),
      marker: marks.marker,
      execute: (base, selection) => timedExecution(selection, () => executor.execute(base, selection)),
      onFault: () => undefined,
    });
    const proposer = new Proposer({
      ...parts,
      pool: this.pool,
      containment,
      fillPolicy: new SoloFillPolicy({ blockTimeMs: 10_000 }),
      accounts: tipAccounts(chain),
      expectedGas: () => TRANSFER_GAS,
    });
    this.blockChain = new BlockChain({ ...parts, proposer });
    this.newImport = () => new BlockImport(parts);
  }

  /** @param directory of an earlier world; a new one by default */
  static async open(options: ChainWorldOptions = {}, directory?: string): Promise<ChainWorld> {
    const place = directory ?? (await mkdtemp(join(tmpdir(), 'heddle-chain-')));
    const crypto = await loadCrypto(NATIVE);
    const store = await openStore({
      directory: join(place, 'store'),
      native: NATIVE,
      report: () => undefined,
    });
    const tip = storedTip(store);
    const proofs = await ProofService.start({
      store: store.handle,
      native: NATIVE,
      tip: tip && { height: tip.height, hash: tip.hash, stateRoot: tip.header.state_root },
      onProgress: () => undefined,
      writeTree: (encoded) => writeTree(store, encoded),
    });
    const chain = await openChain(store, crypto, proofs, options.genesis ?? devGenesis(crypto));
    return new ChainWorld(place, crypto, store, proofs, chain, options);
  }

  /** Closes the world; stored data is kept. */
  async close(): Promise<void> {
    await this.#workers.stop();
    await writeTree(this.store, await this.proofs.stop());
    await this.store.close();
    this.#executionMarker.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await ChainWorld.discard(this.directory);
  }

  /** Removes the directory of a closed world. */
  static async discard(directory: string): Promise<void> {
    await rm(directory, { recursive: true, force: true });
  }

  head(): NextBlockContext {
    const { header, slots } = this.chain.tip;
    return {
      height: header.height + 1n,
      baseFee: nextBaseFee(header),
      slotPrice: nextSlotPrice(header, slots),
      gasLimit: header.gas_limit,
    };
  }

  /** The context of a proposal on a parent, by default on the tip. */
  context(more: Partial<ProposalContext> = {}): ProposalContext {
    const parent = this.header(more.parent ?? this.chain.tip.hash);
    return {
      parent: this.chain.tip.hash,
      epoch: parent.epoch,
      view: parent.view + 1n,
      proposer: 0,
      timestampMs: parent.timestamp_ms + 1_000n,
      allowEmpty: true,
      ...more,
    };
  }

  header(hash: Uint8Array) {
    const parent = this.pending.parent(hash);
    if (parent === undefined) throw new Error('neither the tip nor pending');
    return parent.header;
  }

  /** Number of blocks that the proof worker holds but that are not pending: none once nothing is in flight. */
  get strayRoots(): number {
    return this.roots.open.size - this.pending.size;
  }

  async propose(more: Partial<ProposalContext> = {}) {
    const { block } = await this.blockChain.propose(this.context(more));
    if (block === undefined) throw new Error('nothing was proposed');
    return block;
  }

  /** A signed transaction. */
  transaction(sending: Sending = {}): VerifiedTransaction & OpenTransaction {
    const { from = 0, to = this.account(9), amount = 1n, maxFee = 1_000n, priorityFee = 1n } = sending;
    const account = this.accounts[from];
    if (account === undefined) throw new Error(`there is no development account ${from}`);
    const transaction = {
      chain_id: sending.chainId ?? this.chain.tip.header.chain_id,
      sender: account.address,
      lane: sending.lane ?? 0,
      nonce: sending.nonce ?? 0n,
      gas_limit: sending.gasLimit ?? 40_000n,
      max_fee: maxFee,
      priority_fee: priorityFee,
      ...(sending.validUntil === undefined ? {} : { valid_until: sending.validUntil }),
      action: sending.action ?? ({ type: 'transfer', value: { to, amount } } as const),
    };
    const hash = transactionHash(ledger.Transaction.encode(transaction), this.crypto);
    return asVerified(
      transactionFromSigned(
        {
          transaction,
          signature: {
            type: 'ed25519',
            value: {
              public_key: account.publicKey,
              signature: this.crypto.ed25519.sign(hash, account.seed),
            },
          },
        },
        this.crypto,
      ),
    );
  }

  account(index: number): Uint8Array {
    return this.accounts[index]?.address ?? raise(new Error(`there is no development account ${index}`));
  }

  /** Adds transactions to the pool. */
  submit(...transactions: readonly VerifiedTransaction[]): void {
    for (const transaction of transactions) {
      const result = this.pool.admit(transaction, { arrival: this.#arrivals++, receivedMs: 0 });
      if (!result.admitted) throw result.error;
    }
  }
}
