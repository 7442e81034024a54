import { throttled } from '../../base/throttle.js';
import { tipAccounts } from '../../chain/account-views.js';
import type { Chain } from '../../chain/chain.js';
import type { FaultRecord } from '../../chain/faults/fault-record.js';
import { TipOpenings } from '../../chain/tip-openings.js';
import type { Config } from '../../config/config.js';
import type { Crypto } from '../../crypto/crypto.js';
import { PointChecker } from '../../execution/point-checker.js';
import { SignatureChecker } from '../../execution/signature-checker.js';
import { CommittedState } from '../../execution/state-source.js';
import { isDevelopmentChain } from '../../ledger/dev-genesis.js';
import { nextBaseFee } from '../../ledger/fees.js';
import { nextSlotPrice } from '../../ledger/opening-slots.js';
import {
  envelopeFromEncoded,
  transactionFromEncoded,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';
import type { Logger } from '../../log.js';
import { Admission } from '../../mempool/admission.js';
import { bundleOf, type VerifiedBundle } from '../../mempool/bundles/bundle.js';
import { bundleBytes } from '../../mempool/bundles/waiting-bundle.js';
import { NEVER_OPENED, TransactionError } from '../../mempool/errors.js';
import { InclusionWaiters } from '../../mempool/inclusion-waiters.js';
import { PoolJournal, type RestoredTransactions } from '../../mempool/journal/journal.js';
import { createPendingSendersMemory, PendingSenders } from '../../mempool/pending-senders.js';
import { Mempool } from '../../mempool/pool.js';
import { type NextBlockContext, poolLimits } from '../../mempool/pool-types.js';
import { UNPAID_LIMITS, UnpaidBytes } from '../../mempool/unpaid-bytes.js';
import { PoolFeed } from '../pool-feed.js';
import type { CoreOptions } from './core-options.js';
import type { ChainServices } from './open-chain-services.js';
import type { ChainState } from './open-chain-state.js';
import type { OpenedFaultRecord } from './open-fault-record.js';
import type { Workers } from './open-workers.js';

type AdmittedListener = (transactions: readonly VerifiedTransaction[]) => void;
type BundleListener = (bundle: VerifiedBundle) => void;

export interface PoolServices {
  readonly pool: Mempool;
  readonly journal: PoolJournal;
  readonly openings: TipOpenings;
  readonly admission: Admission;
  readonly signatures: SignatureChecker;
  readonly waiters: InclusionWaiters;
  /** Memory of PendingSenders. */
  readonly pendingSenders: SharedArrayBuffer;
  /** Adds a listener for transactions that enter the pool; see `AdmissionOptions.onAdmitted`. */
  readonly onAdmitted: (listener: AdmittedListener) => void;
  /** Adds a listener for bundles that enter the pool or are extended; see `AdmissionOptions.onBundle`. */
  readonly onBundle: (listener: BundleListener) => void;
  /** Reports transactions that enter the pool to subscribers. */
  readonly feed: PoolFeed;
}

/** Opens the pool with the transactions of its journal. @throws JournalError */
export async function openPool(
  { config, log, teardown, now, metrics }: CoreOptions,
  opened: ChainState & ChainServices & OpenedFaultRecord & { readonly workers: Workers },
): Promise<PoolServices> {
  const { chain, blocks, store, crypto, workers, canOpen, record } = opened;
  const { maxWaiters, maxWaitersPerClient: maxPerClient } = config;
  const waiters = new InclusionWaiters({ maxWaiters, maxPerClient });
  teardown.add(() => waiters.settleAll());
  const { journal, restored } = await PoolJournal.open(config.dataDir);
  teardown.add(() => journal.close());
  const unpaid = new UnpaidBytes(UNPAID_LIMITS, () => performance.now());
  const pendingSenders = createPendingSendersMemory();
  const openings = new TipOpenings(chain, () => new CommittedState(store, crypto));
  const senders = new PendingSenders(pendingSenders);
  const pool = createPool(config, { chain, openings, record, journal, unpaid, waiters, senders });
  const signatures = new SignatureChecker(workers.blocks);
  const points = new PointChecker(workers.blocks);
  const listeners = new Set<AdmittedListener>();
  const bundleListeners = new Set<BundleListener>();
  const onJournalError = throttled((error, times) =>
    log.error({ err: error, times }, 'cannot write the pool journal; new transactions are refused'),
  );
  const sweeping = setInterval(
    () => {
      pool.dropOverdue();
      journal.tryAgain(pool).catch(onJournalError);
    },
    Math.min(1_000, config.gappedTtlMs),
  ).unref();
  teardown.add(() => clearInterval(sweeping));
  const admission = new Admission({
    pool,
    journal,
    unpaid,
    now,
    onJournalError,
    onRefused: (reason) => metrics?.chain.refuse(reason),
    checker: signatures,
    checkPoint: (point, client) =>
      canOpen ? points.check(point, client) : Promise.reject(new TransactionError('pool_full', NEVER_OPENED)),
    isIncluded: (hash) => blocks.positionOf(hash) !== undefined,
    onAdmitted: (transactions) => {
      for (const listener of listeners) listener(transactions);
    },
    onBundle: (bundle) => {
      for (const listener of bundleListeners) listener(bundle);
    },
  });
  followCommits(chain, { pool, journal }, waiters, onJournalError);
  await restorePool(restored, admission, crypto, log);
  const onAdmitted = (listener: AdmittedListener) => void listeners.add(listener);
  const onBundle = (listener: BundleListener) => void bundleListeners.add(listener);
  const feed = new PoolFeed(pool);
  onAdmitted(feed.onAdmitted);
  const services = { pool, journal, openings, admission, signatures, waiters, pendingSenders };
  return { ...services, onAdmitted, onBundle, feed };
}

interface PoolParts {
  readonly chain: Chain;
  readonly openings: TipOpenings;
  readonly record: FaultRecord;
  readonly journal: PoolJournal;
  readonly unpaid: UnpaidBytes;
  readonly waiters: InclusionWaiters;
  readonly senders: PendingSenders;
}

function createPool(config: Config, parts: PoolParts): Mempool {
  const { chain, openings, record, journal, unpaid, waiters, senders } = parts;
  return new Mempool({
    chainId: chain.genesis.chain_id,
    head: nextBlockContext(chain),
    accounts: tipAccounts(chain),
    reservedAt: (opensAt) => openings.reservedAt(opensAt),
    now: () => performance.now(),
    rejectionReason: (hashHex) => record.rejectionReason(hashHex),
    limits: poolLimits(config),
    onSender: (address, isPending) => senders.set(address, isPending),
    onRemoval: ({ transaction, reason }) => {
      journal.recordRemoval(transaction, reason);
      if (reason === 'included') return;
      unpaid.recordUnpaid(transaction, transaction.encoded.length);
      waiters.settle([transaction]);
    },
    onBundleRemoval: ({ bundle, reason }) => {
      journal.recordRemoval(bundle, reason);
      if (reason === 'included') return;
      const { transactions } = bundle;
      unpaid.recordUnpaid(transactions, bundleBytes(transactions));
      waiters.settle(transactions);
    },
  });
}

/** Puts the journal's transactions back into the pool, by the usual rules of admission. */
async function restorePool(
  { transactions, bundles, removed, damaged, tornBytes }: RestoredTransactions,
  admission: Admission,
  crypto: Crypto,
  log: Logger,
): Promise<void> {
  if (damaged > 0 || tornBytes > 0) {
    log.warn({ damaged, torn_bytes: tornBytes }, 'parts of the pool journal are unreadable and were dropped');
  }
  admission.restoreRemovals(removed);
  if (transactions.length === 0 && bundles.length === 0) return;
  const waiting = transactions.map(({ isEnvelope, encoded }) =>
    isEnvelope ? envelopeFromEncoded(encoded, crypto) : transactionFromEncoded(encoded, crypto),
  );
  const admitted = await admission.restore(waiting);
  const waitingBundles = bundles.map((bundle) => {
    const members = bundle.transactions.map((encoded) => transactionFromEncoded(encoded, crypto));
    return bundleOf(members, bundle.maxHeight, crypto);
  });
  const admittedBundles = await admission.restoreBundles(waitingBundles);
  // All transactions of the journal may have been included before the node stopped.
  if (admitted === 0 && admittedBundles === 0) return;
  log.info(
    {
      journaled: transactions.length,
      admitted,
      journaled_bundles: bundles.length,
      admitted_bundles: admittedBundles,
    },
    'restored waiting transactions to the pool',
  );
}

/** Keeps the pool, its waiters and its journal in step with the chain. */
function followCommits(
  chain: Chain,
  { pool, journal }: { readonly pool: Mempool; readonly journal: PoolJournal },
  waiters: InclusionWaiters,
  onJournalError: (error: unknown) => void,
): void {
  chain.onCommit('pool', (block) => {
    pool.applyBlock({
      head: nextBlockContext(chain),
      included: block.transactions,
      changed: block.accounts.map(({ address }) => address),
    });
    waiters.settle(block.transactions);
    try {
      journal.flush();
    } catch (error) {
      onJournalError(error);
    }
    journal.rewriteIfStale(pool).catch(onJournalError);
  });
}

/** The pool's context for the block after the tip. */
function nextBlockContext(chain: Chain): NextBlockContext {
  const { header, slots } = chain.tip;
  return {
    height: header.height + 1n,
    baseFee: nextBaseFee(header),
    slotPrice: nextSlotPrice(header, slots),
    gasLimit: header.gas_limit,
    ...(isDevelopmentChain(chain.genesis.validator_set) ? { isDevelopment: true } : {}),
  };
}
