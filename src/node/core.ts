import type { Config } from '../config/config.js';
import type { NativeReport } from '../config/native-mode.js';
import { BlockBuilder, type BuiltBlock } from '../consensus/block-builder.js';
import { BlockExecutor } from '../consensus/block-executor.js';
import type { Certificates } from '../consensus/certificates.js';
import type { Chain } from '../consensus/chain.js';
import { Containment, type ReportedFault } from '../consensus/containment.js';
import { openChain, storedTip } from '../consensus/open-chain.js';
import { Pruner } from '../consensus/pruner.js';
import { Sealer, type SealTiming } from '../consensus/sealer.js';
import { tipAccounts } from '../consensus/tip-accounts.js';
import type { Crypto } from '../crypto/crypto.js';
import { BlockWriteLogs } from '../execution/calls/block-write-logs.js';
import { CallScheduler } from '../execution/calls/call-scheduler.js';
import { TASK_NUMBERS } from '../execution/calls/call-tasks.js';
import { TransactionTracer } from '../execution/calls/transaction-tracer.js';
import { expectedGas } from '../execution/parallel/predictions.js';
import { Predictor } from '../execution/parallel/predictor.js';
import { CallChannels } from '../execution/pool/call-channels.js';
import { ExecutionPool } from '../execution/pool/execution-pool.js';
import { LazyPool } from '../execution/pool/lazy-pool.js';
import { SignatureChecker } from '../execution/signature-checker.js';
import { ChangeTable } from '../execution/views/change-table.js';
import type { Genesis } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { BlockReader } from '../ledger/block-store.js';
import { ContractInterfaces } from '../ledger/contract-interfaces.js';
import { nextBaseFee } from '../ledger/fees.js';
import type { Logger } from '../log.js';
import { Admission } from '../mempool/admission.js';
import type { RejectionReason } from '../mempool/errors.js';
import { InclusionWaiters } from '../mempool/inclusion-waiters.js';
import { PoolJournal } from '../mempool/journal.js';
import { DEFAULT_POOL_LIMITS } from '../mempool/limits.js';
import { Mempool } from '../mempool/pool.js';
import type { NextBlockContext } from '../mempool/pool-types.js';
import type { ProofService, ProofServiceOptions } from '../proofs/proof-service.js';
import { writeTree } from '../proofs/write-tree.js';
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

/** Everything of a node but its front end. */
export interface NodeCore {
  readonly crypto: Crypto;
  readonly store: Store;
  readonly blocks: BlockReader;
  /** Of this thread. */
  readonly interfaces: ContractInterfaces;
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly admission: Admission;
  readonly waiters: InclusionWaiters;
  readonly workers: ExecutionPool;
  readonly views: CallScheduler;
  readonly tracer: TransactionTracer;
  readonly certificates: Certificates;
  readonly checkpoints: Checkpoints;
  readonly proofs: ProofService;
  /** Builds the next block, whoever decides what is in it. */
  readonly builder: BlockBuilder;
  readonly sealer: Sealer;
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
  readonly onSealed: (block: BuiltBlock, timing: SealTiming) => void;
  /** Told why a transaction or a bundle may not enter the pool. */
  readonly onRefused?: (reason: RejectionReason) => void;
  /** Told of a candidate that could not be executed. */
  readonly onAtFault?: (fault: ReportedFault) => void;
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
  const { config, log, report = nativeReport(options.log), teardown, now, onFailure } = options;
  const proofs = await startProofs(options, store, treeTip(store));
  teardown.add(async () => {
    await writeTree(store, await proofs.stop());
  });
  const chain = await openChain(store, crypto, proofs, genesis, config.dataDir);

  const changes = ChangeTable.create(Number(chain.tip.header.height));
  // The first to hear of a block: before anything can be asked of the workers at its height.
  chain.onCommit(({ header, writes }) => {
    const height = Number(header.height);
    for (const { key } of writes) changes.mark(key, height);
  });
  const progress = new SharedArrayBuffer(4 * TASK_NUMBERS);
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
        maxTraceBytes: config.maxTraceBytes,
        proposers: chain.validatorSet.validators.map(({ address }) => toHex(address)),
        changes: changes.shared,
        progress,
      },
    },
    workers: config.workers,
    onWorkerError: (error) => options.faults.report(error, 'a thread for calls had nothing to do'),
    // On a node that is not asked much the last one never comes to be, and takes no memory.
    startedWorkers: Math.max(1, config.workers - 1),
  });
  teardown.add(() => workers.stop());
  // Threads of their own for the chain's work: what is called for over RPC may take seconds, and blocks must not wait.
  const blockWorkers = new LazyPool({
    setup: { native: config.native, instances: instances.blocks, codeBytes, store: store.handle },
    workers: config.blockWorkers,
    onWorkerError: (error) => options.faults.report(error, 'a thread for blocks had nothing to do'),
  });
  teardown.add(() => blockWorkers.stop());
  const views = new CallScheduler({
    tasks: workers,
    pool: new CallChannels(workers),
    progress,
    heights: () => ({ tip: chain.tip.header.height, finalized: chain.finalizedHeight }),
    now,
    onFault: (error) => options.faults.report(error, 'answering a call'),
    maxCallMs: config.maxCallMs,
    maxWaitMs: config.maxCallWaitMs,
  });
  const writeLogs = new BlockWriteLogs({
    pool: workers,
    tipHeight: () => chain.tip.header.height,
    maxTaskMs: config.maxCallMs,
  });
  const tracer = new TransactionTracer({ calls: views, writeLogs });

  const pruner = new Pruner(store, chain, BigInt(config.stateRetention), (error) =>
    log.error({ err: error }, 'pruning failed; it is tried again later'),
  );
  teardown.add(() => pruner.stop());

  const blocks = new BlockReader(store);
  const certificates = await openCertificates(
    { config, log, report },
    { crypto, genesis, store, blocks, workers },
  );
  const checkpoints = openCheckpoints({ config, log, teardown, store, chain, blocks, proofs });
  const interfaces = new ContractInterfaces(store, crypto);
  const waiters = new InclusionWaiters({
    most: config.maxWaiters,
    mostPerClient: config.maxWaitersPerClient,
  });
  teardown.add(() => waiters.settleAll());
  const { underWay, record } = openFaultRecord(config.dataDir, log);
  teardown.add(() => underWay.close());
  const { journal, restored } = await PoolJournal.open(config.dataDir);
  teardown.add(() => journal.close());
  const unwritten = seldom((error, times) =>
    log.error({ err: error, times }, 'the pool journal cannot be written; what comes in is refused'),
  );
  const pool = new Mempool({
    chainId: genesis.chain_id,
    head: nextBlockContext(chain),
    accounts: tipAccounts(chain),
    now: () => performance.now(),
    reasonOut: (hashHex) => record.reasonOut(hashHex),
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
    onDeparture: (departure) => {
      journal.noteDeparture(departure);
      if (departure.reason !== 'included') waiters.settle([departure.transaction]);
    },
    onBundleDeparture: (departure) => {
      journal.noteBundleDeparture(departure);
      if (departure.reason !== 'included') waiters.settle(departure.bundle.transactions);
    },
  });

  const sweeping = setInterval(() => pool.dropOverdue(), Math.min(1_000, config.gappedTtlMs)).unref();
  teardown.add(() => clearInterval(sweeping));

  const predictor = new Predictor({
    pool: blockWorkers,
    environment: () => builder.environment(BigInt(now())),
    mayTry: ({ hashHex }) => record.standing(hashHex) === 'trusted',
    onTry: (transactions) => {
      if (transactions.length === 0) underWay.end('predicted');
      else
        underWay.begin(
          'predicted',
          transactions.map(({ hashHex }) => hashHex),
        );
    },
    onError: seldom((error, times) =>
      log.warn({ err: error, times }, 'transactions could not be tried before their block'),
    ),
  });
  const executor = new BlockExecutor(chain.accounts, store, crypto, blockWorkers, {
    workers: blockWorkers,
    predictions: predictor,
  });
  const builder = new BlockBuilder(chain, crypto, executor, proofs);
  const containment = new Containment({
    pool,
    record,
    underWay,
    execute: (env, selection) => builder.execute(env, selection),
    onFault: options.onAtFault ?? (() => undefined),
  });
  const sealer = new Sealer({
    chain,
    pool,
    builder,
    containment,
    store,
    pacing: config,
    expectedGas: (transaction) => expectedGas(transaction, predictor),
    now,
    onSealed: options.onSealed,
    onFailure,
  });
  const admission = new Admission({
    pool,
    checker: new SignatureChecker(blockWorkers),
    journal,
    now,
    isIncluded: (hash) => blocks.placeOf(hash) !== undefined,
    onUnwritten: unwritten,
    onRefused: options.onRefused ?? (() => undefined),
    onAdmitted: (transactions) => {
      sealer.notify();
      for (const transaction of transactions) predictor.offer(transaction);
    },
  });
  chain.onCommit((block) => {
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
    waiters,
    workers,
    views,
    tracer,
    certificates,
    checkpoints,
    proofs,
    builder,
    sealer,
  };
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
