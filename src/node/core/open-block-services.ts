import { sameBytes } from '../../base/same-bytes.js';
import { throttled } from '../../base/throttle.js';
import type { BlockChainOptions } from '../../chain/block-chain.js';
import { BlockExecutor } from '../../chain/block-executor.js';
import { EpochRules } from '../../chain/epochs/epoch-rules.js';
import { ItemChecks } from '../../chain/epochs/item-checks.js';
import type { ExecutionMarker } from '../../chain/faults/execution-marker.js';
import type { FaultRecord } from '../../chain/faults/fault-record.js';
import { nextEnvironment } from '../../chain/next-block.js';
import { Predictor } from '../../execution/parallel/predictor.js';
import { SignatureChecker } from '../../execution/signature-checker.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { Mempool } from '../../mempool/pool.js';
import { observeOpeningFault } from '../observe-chain.js';
import type { NodeBase } from '../open-base.js';
import type { CoreOptions } from './core-options.js';
import type { ChainState } from './open-chain-state.js';
import type { OpenedFaultRecord } from './open-fault-record.js';
import type { PoolServices } from './open-pool.js';
import type { Workers } from './open-workers.js';

/** Maximum number of queued signature checks for other validators' blocks: enough for two of the longest blocks. */
const MAX_BLOCK_SIGNATURES = 1_000_000;

/** Block execution, and the record of failed candidates. */
export interface BlockServices {
  readonly predictor: Predictor;
  readonly record: FaultRecord;
  readonly marker: ExecutionMarker;
  readonly itemChecks: ItemChecks;
  /** The parts that build, verify and commit blocks. */
  readonly blockParts: BlockChainOptions;
}

/** Builds block execution, and starts predicting the accesses of pooled transactions. */
export function openBlockServices(
  { log, chainNow, metrics }: CoreOptions,
  parts: {
    readonly base: NodeBase;
    readonly chainState: ChainState;
    readonly workers: Pick<Workers, 'blocks'>;
    readonly mempool: Pick<PoolServices, 'pool' | 'onAdmitted'>;
    readonly faultRecord: OpenedFaultRecord;
  },
): BlockServices {
  const { crypto, store } = parts.base;
  const { chain, pending, proofs } = parts.chainState;
  const { blocks: workers } = parts.workers;
  const { pool, onAdmitted } = parts.mempool;
  const { record, marker } = parts.faultRecord;
  const predictor = new Predictor({
    pool: workers,
    environment: () => {
      const { tip } = chain;
      return nextEnvironment(tip, { epoch: tip.epochs.validators.epoch, proposer: 0 }, BigInt(chainNow()));
    },
    shouldPredict: ({ hashHex }) =>
      pool.get(hashHex) !== undefined && record.trustLevel(hashHex) === 'trusted',
    onPredict: (transactions) => {
      if (transactions.length === 0) marker.end('predicted');
      else
        marker.begin(
          'predicted',
          transactions.map(({ hashHex }) => ({ name: hashHex })),
        );
    },
    onError: throttled((error, times) =>
      log.warn({ err: error, times }, 'could not predict transactions before their block'),
    ),
  });
  onAdmitted((transactions) => {
    for (const transaction of transactions) predictor.enqueue(transaction);
  });
  const itemChecks = new ItemChecks(crypto, workers);
  const signatures = new SignatureChecker(workers, { maxWaiting: MAX_BLOCK_SIGNATURES });
  const sharing = { workers, predictions: predictor, marks: marker };
  const blockParts: BlockChainOptions = {
    chain,
    pending,
    crypto,
    store,
    proofs,
    executor: new BlockExecutor(chain.accounts, store, crypto, workers, sharing, (fault) =>
      observeOpeningFault(metrics?.chain, log, fault),
    ),
    epochRules: new EpochRules(crypto, workers, itemChecks),
    verifySignature: async (transaction) =>
      verifiedInPool(pool, transaction) ?? (await signatures.verify(transaction)),
  };
  return { predictor, record, marker, itemChecks, blockParts };
}

/** The pool's copy of a transaction, whose signature was checked on admission. */
function verifiedInPool(
  pool: Mempool,
  { hashHex, encoded }: TransactionEnvelope,
): VerifiedTransaction | undefined {
  const present = pool.standalone(hashHex);
  // The hash does not cover the signature.
  return present !== undefined && sameBytes(present.encoded, encoded) ? present : undefined;
}
