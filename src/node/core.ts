import type { BlockChainOptions } from '../chain/block-chain.js';
import { BlockExecutor } from '../chain/block-executor.js';
import type { Certificates } from '../chain/certificates.js';
import type { Chain } from '../chain/chain.js';
import { ValidatorRules } from '../chain/epochs/epoch-rules.js';
import type { ExecutionMarker } from '../chain/faults/execution-marker.js';
import type { FaultRecord } from '../chain/faults/fault-record.js';
import { nextEnvironment } from '../chain/next-block.js';
import { openChain, storedTip } from '../chain/open-chain.js';
import { PendingBlocks } from '../chain/pending-blocks.js';
import { Pruner } from '../chain/prune.js';
import type { OpeningFault } from '../chain/sealed/opening-attempts.js';
import { tipAccounts } from '../chain/tip-accounts.js';
import type { Config } from '../config/config.js';
import type { NativeReport } from '../config/native-mode.js';
import type { Crypto } from '../crypto/crypto.js';
import { BlockWriteLogs } from '../execution/calls/block-write-logs.js';
import { CallScheduler } from '../execution/calls/call-scheduler.js';
import { createProgressMemory } from '../execution/calls/call-tasks.js';
import { MAX_READ_MS, Reads } from '../execution/calls/reads.js';
import { TransactionTracer } from '../execution/calls/transaction-tracer.js';
import { Predictor } from '../execution/parallel/predictor.js';
import { PointChecker } from '../execution/point-checker.js';
import { CallChannels } from '../execution/pool/call-channels.js';
import { ExecutionPool } from '../execution/pool/execution-pool.js';
import { LazyPool } from '../execution/pool/lazy-pool.js';
import { SignatureChecker } from '../execution/signature-checker.js';
import { ChangeTable } from '../execution/views/change-table.js';
import type { Genesis } from '../generated/ledger.js';
import { BlockReader } from '../ledger/block-store.js';
import { ContractInterfaces } from '../ledger/contract-interfaces.js';
import { nextBaseFee } from '../ledger/fees.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { Logger } from '../log.js';
import { Admission } from '../mempool/admission.js';
import { bundleBytes } from '../mempool/bundles/waiting-bundle.js';
import { type RejectionReason, TransactionError } from '../mempool/errors.js';
import { InclusionWaiters } from '../mempool/inclusion-waiters.js';
import { PoolJournal } from '../mempool/journal/journal.js';
import { DEFAULT_POOL_LIMITS } from '../mempool/limits.js';
import { createPendingSendersMemory, PendingSenders } from '../mempool/pending-senders.js';
import { Mempool } from '../mempool/pool.js';
import type { NextBlockContext } from '../mempool/pool-types.js';
import { UNPAID_LIMITS, UnpaidBytes } from '../mempool/unpaid-bytes.js';
import type { ProofService, ProofServiceOptions } from '../proofs/proof-service.js';
import { writeTree } from '../proofs/write-tree.js';
import type { ServedChain } from '../rpc/front/messages.js';
import type { Store } from '../storage/store.js';
import type { Checkpoints } from '../sync/checkpoints.js';
import { codeShare, instanceShares } from '../vm/thread-shares.js';
import type { Faults } from './faults.js';
import { type NodeBase, nativeReport } from './open-base.js';
import { openCertificates } from './open-certificates.js';
import { openCheckpoints } from './open-checkpoints.js';
import { openFaultRecord } from './open-fault-record.js';
import { startProofs } from './open-proofs.js';
import { restorePool } from './restore-pool.js';
import { seldom } from './seldom.js';
import type { Teardown } from './teardown.js';

/** Signatures of others' blocks that may wait to be checked: as many as two of the longest blocks have. */
const MAX_BLOCK_SIGNATURES = 1_000_000;

type AdmittedListener = (transactions: readonly VerifiedTransaction[]) => void;

/** Once an envelope is due, nothing else can be included before it is open. */
const NEVER_OPENED = new TransactionError(
  'pool_full',
  'this validator seals blocks without the group key: nothing that is sealed could be opened',
);

/** Everything of a node but its front end and what drives its chain. */
export interface NodeCore {
  readonly crypto: Crypto;
  readonly store: Store;
  readonly blocks: BlockReader;
  /** Of this thread. */
  readonly interfaces: ContractInterfaces;
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly admission: Admission;
  /** Checks signatures of transactions that are submitted. */
  readonly signatures: SignatureChecker;
  readonly waiters: InclusionWaiters;
  readonly workers: ExecutionPool;
  /** Threads for listings, logs, receipts, ranges and certificates. */
  readonly readers: Pick<LazyPool, 'run'>;
  readonly reads: Reads;
  /** Threads for the chain's own work, which what is called for over RPC does not hold up. */
  readonly blockWorkers: Pick<LazyPool, 'run'>;
  readonly views: CallScheduler;
  readonly tracer: TransactionTracer;
  readonly certificates: Certificates;
  /** The private key of the group key, 32 bytes; undefined where it is not here. */
  readonly groupKey: Uint8Array | undefined;
  /** Whether what is sealed can be opened: where nobody here has a key, an envelope in a block would keep all else out. */
  readonly canOpen: boolean;
  readonly checkpoints: Checkpoints;
  readonly proofs: ProofService;
  readonly predictor: Predictor;
  readonly record: FaultRecord;
  readonly underWay: ExecutionMarker;
  /** What front threads share with this one: see their `ServedChain`. */
  readonly shared: Pick<ServedChain, 'changes' | 'progress' | 'readProgress' | 'readers' | 'pendingSenders'>;
  /** What blocks are built, verified and committed with. */
  readonly blockParts: BlockChainOptions;
  /** Has a listener told whenever the pool has something new, as `AdmissionOptions.onAdmitted` is. */
  readonly onAdmitted: (listener: AdmittedListener) => void;
}

/** What the core is built with. */
export interface CoreOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Default: into the log. */
  readonly report?: NativeReport;
  readonly teardown: Teardown;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told why a transaction or a bundle may not enter the pool. */
  readonly onRefused?: (reason: RejectionReason) => void;
  /** Told of each failure to execute what sealed transactions hold. */
  readonly onOpeningFault?: (fault: OpeningFault) => void;
  /** Told when the node cannot go on. */
  readonly onFailure: (error: Error) => void;
  readonly faults: Pick<Faults, 'report'>;
}

/**
 * Opens the chain of a data directory, or begins it, and builds what keeps it; nothing is sealed yet.
 * @param genesis what the chain began with, or is to begin with
 */
export async function openCore(
  options: CoreOptions,
  { crypto, store }: NodeBase,
  genesis: Genesis,
): Promise<NodeCore> {
  const { config, log, report = nativeReport(options.log), teardown, now } = options;
  const proofs = await startProofs(options, store, treeTip(store));
  teardown.add(async () => {
    await writeTree(store, await proofs.stop());
  });
  const chain = await openChain(store, crypto, proofs, genesis, config.dataDir);

  const changes = ChangeTable.create(Number(chain.tip.header.height));
  chain.onCommit('calls', ({ header, writes }) => {
    const height = Number(header.height);
    for (const { key } of writes) changes.mark(key, height);
  });
  const progress = createProgressMemory(1 + config.frontThreads);
  const pendingSenders = createPendingSendersMemory();
  const senders = new PendingSenders(pendingSenders);
  const instances = instanceShares(config.workers, config.blockWorkers);
  const codeBytes = codeShare(config.workers + config.blockWorkers);
  const workers = new ExecutionPool({
    setup: {
      native: config.native,
      instances: instances.calls,
      maxAnswerBytes: config.maxAnswerBytes,
      store: store.handle,
      codeBytes,
      calls: {
        maxCallGas: config.maxCallGas,
        maxPipelineSteps: config.maxPipelineSteps,
        maxBundleTransactions: config.bundleTransactions,
        maxTraceBytes: config.maxTraceBytes,
        changes: changes.shared,
        progress,
      },
    },
    workers: config.workers,
    onWorkerError: (error) => options.faults.report(error, 'a thread for calls had nothing to do'),
    // On a node that is not asked for calls the last one never comes to be, and takes no memory.
    startedWorkers: Math.max(1, config.workers - 1),
  });
  // Threads of their own for the chain's work: what is called for over RPC may take seconds, and blocks must not wait.
  const blockWorkers = new LazyPool({
    setup: { native: config.native, instances: instances.blocks, codeBytes, store: store.handle },
    workers: config.blockWorkers,
    onWorkerError: (error) => options.faults.report(error, 'a thread for blocks had nothing to do'),
  });
  // Reads of the store and certificates are short work, and must not wait for calls, which are not. Of two threads one is left
  // where somebody's reads are long after all.
  const readProgress = createProgressMemory(1 + config.frontThreads);
  const readers = new LazyPool({
    setup: {
      native: config.native,
      maxAnswerBytes: config.maxAnswerBytes,
      store: store.handle,
      reads: { progress: readProgress },
    },
    workers: Math.max(2, Math.floor(config.workers / 4)),
    onWorkerError: (error) => options.faults.report(error, 'a thread for reads had nothing to do'),
  });
  teardown.add(() => Promise.all([readers.stop(), blockWorkers.stop(), workers.stop()]));
  const asking = {
    heights: () => ({ tip: chain.tip.header.height, finalized: chain.finalizedHeight }),
    now,
    onFault: (error: unknown) => options.faults.report(error, 'answering a call'),
    maxWaitMs: config.maxCallWaitMs,
  };
  const views = new CallScheduler({
    ...asking,
    tasks: workers,
    pool: new CallChannels(workers),
    progress,
    maxCallMs: config.maxCallMs,
  });
  const reads = new Reads(
    new CallScheduler({
      ...asking,
      tasks: readers,
      pool: new CallChannels(readers),
      progress: readProgress,
      maxCallMs: MAX_READ_MS,
    }),
  );
  const tracer = new TransactionTracer({ calls: views, writeLogs: new BlockWriteLogs({ calls: views }) });

  const pruner = new Pruner(store, chain, BigInt(config.stateRetention), (error) =>
    log.error({ err: error }, 'pruning failed; it is tried again later'),
  );
  teardown.add(() => pruner.stop());

  const blocks = new BlockReader(store);
  const { certificates, groupKey } = await openCertificates(
    { config, log, report },
    { crypto, genesis, store, blocks, workers: readers, committing: () => pending.committing },
  );
  const checkpoints = openCheckpoints({ config, log, teardown, store, chain, blocks, proofs });
  const interfaces = new ContractInterfaces(store, crypto);
  const waiters = new InclusionWaiters({
    maxWaiters: config.maxWaiters,
    maxPerClient: config.maxWaitersPerClient,
  });
  teardown.add(() => waiters.settleAll());
  const { underWay, record } = openFaultRecord(config.dataDir, log);
  teardown.add(() => underWay.close());
  const { journal, restored } = await PoolJournal.open(config.dataDir);
  teardown.add(() => journal.close());
  const unwritten = seldom((error, times) =>
    log.error({ err: error, times }, 'the pool journal cannot be written; what comes in is refused'),
  );
  const unpaid = new UnpaidBytes(UNPAID_LIMITS, () => performance.now());
  const pool = new Mempool({
    chainId: genesis.chain_id,
    head: nextBlockContext(chain),
    accounts: tipAccounts(chain),
    now: () => performance.now(),
    rejectionReason: (hashHex) => record.rejectionReason(hashHex),
    limits: {
      ...DEFAULT_POOL_LIMITS,
      maxTransactions: config.poolSize,
      maxBytes: config.poolBytes,
      maxTransactionBytes: config.maxTransactionBytes,
      maxNonceGap: config.maxNonceGap,
      gappedTtlMs: config.gappedTtlMs,
      bundleBlocks: config.bundleBlocks,
      maxPendingLanes: config.maxPendingLanes,
    },
    onSender: (address, isPending) => senders.set(address, isPending),
    onRemoval: (departure) => {
      journal.recordRemoval(departure);
      if (departure.reason === 'included') return;
      const { transaction } = departure;
      unpaid.recordUnpaid(transaction, transaction.encoded.length);
      waiters.settle([transaction]);
    },
    onBundleRemoval: (departure) => {
      journal.recordBundleRemoval(departure);
      if (departure.reason === 'included') return;
      const { transactions } = departure.bundle;
      unpaid.recordUnpaid(transactions, bundleBytes(transactions));
      waiters.settle(transactions);
    },
  });

  const sweeping = setInterval(() => pool.dropOverdue(), Math.min(1_000, config.gappedTtlMs)).unref();
  teardown.add(() => clearInterval(sweeping));

  const predictor = new Predictor({
    pool: blockWorkers,
    environment: () => {
      const { tip } = chain;
      return nextEnvironment(tip, { epoch: tip.epochs.validators.epoch, proposer: 0 }, BigInt(now()));
    },
    shouldPredict: ({ hashHex }) =>
      pool.get(hashHex) !== undefined && record.trustLevel(hashHex) === 'trusted',
    onPredict: (transactions) => {
      if (transactions.length === 0) underWay.end('predicted');
      else
        underWay.begin(
          'predicted',
          transactions.map(({ hashHex }) => ({ name: hashHex })),
        );
    },
    onError: seldom((error, times) =>
      log.warn({ err: error, times }, 'transactions could not be tried before their block'),
    ),
  });
  const signatures = new SignatureChecker(blockWorkers);
  const points = new PointChecker(blockWorkers);
  const blockSignatures = new SignatureChecker(blockWorkers, { maxWaiting: MAX_BLOCK_SIGNATURES });
  const sharing = { workers: blockWorkers, predictions: predictor, marks: underWay };
  const executor = new BlockExecutor(
    chain.accounts,
    store,
    crypto,
    blockWorkers,
    sharing,
    options.onOpeningFault,
  );
  const pending = new PendingBlocks(
    () => chain.tip,
    ({ roots }) => proofs.drop(roots.id),
  );
  const admitted = new Set<AdmittedListener>();
  const hasOthers = config.follow.length > 0 || config.validator !== undefined;
  const canOpen = hasOthers || groupKey !== undefined;
  const admission = new Admission({
    pool,
    checker: signatures,
    checkPoint: (point, client) => {
      return canOpen ? points.check(point, client) : Promise.reject(NEVER_OPENED);
    },
    journal,
    unpaid,
    now,
    isIncluded: (hash) => blocks.positionOf(hash) !== undefined,
    onJournalError: unwritten,
    onRefused: options.onRefused ?? (() => undefined),
    onAdmitted: (transactions) => {
      for (const listener of admitted) listener(transactions);
      for (const transaction of transactions) predictor.enqueue(transaction);
    },
  });
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
      unwritten(error);
    }
    journal.rewriteIfStale(pool).catch(unwritten);
  });
  await restorePool(restored, admission, crypto, log);
  return {
    crypto,
    store,
    blocks,
    interfaces,
    chain,
    pool,
    admission,
    signatures,
    waiters,
    workers,
    readers,
    reads,
    blockWorkers,
    views,
    tracer,
    certificates,
    groupKey,
    canOpen,
    checkpoints,
    proofs,
    predictor,
    record,
    underWay,
    shared: {
      changes: changes.shared,
      progress,
      readProgress,
      readers: readers.workers,
      pendingSenders,
    },
    blockParts: {
      chain,
      pending,
      crypto,
      store,
      proofs,
      executor,
      epochRules: new ValidatorRules(crypto, blockWorkers),
      verifySignature: async (transaction) =>
        verifiedInPool(pool, transaction) ?? (await blockSignatures.verify(transaction)),
    },
    onAdmitted: (listener) => admitted.add(listener),
  };
}

/** The pool's own of a transaction, whose signature was checked when it came in. */
function verifiedInPool(
  pool: Mempool,
  { hashHex, encoded }: TransactionEnvelope,
): VerifiedTransaction | undefined {
  const present = pool.standalone(hashHex);
  // The hash says nothing of the signature.
  return present !== undefined && Buffer.compare(present.encoded, encoded) === 0 ? present : undefined;
}

function treeTip(store: Store): ProofServiceOptions['tip'] {
  const tip = storedTip(store);
  return tip === undefined
    ? undefined
    : { height: tip.height, hash: tip.hash, stateRoot: tip.header.state_root };
}

/** The block after the tip, as the pool has to know it. */
function nextBlockContext(chain: Chain): NextBlockContext {
  const { header } = chain.tip;
  return { height: header.height + 1n, baseFee: nextBaseFee(header), gasLimit: header.gas_limit };
}
