import { sameBytes } from '../../base/same-bytes.js';
import { throttled } from '../../base/throttle.js';
import { BlockExecutor } from '../../chain/block-executor.js';
import { EpochRules } from '../../chain/epochs/epoch-rules.js';
import { ItemChecks } from '../../chain/epochs/item-checks.js';
import { nextEnvironment } from '../../chain/next-block.js';
import type { VerifyParts } from '../../chain/verify-block.js';
import { Predictor } from '../../execution/parallel/predictor.js';
import { SignatureChecker } from '../../execution/signature-checker.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { Mempool } from '../../mempool/pool.js';
import { observeOpeningFault } from '../observe-chain.js';
import type { CoreOptions } from './core-options.js';
import type { ChainState } from './open-chain-state.js';
import type { OpenedFaultRecord } from './open-fault-record.js';
import type { PoolServices } from './open-pool.js';
import type { Workers } from './open-workers.js';

/** Maximum number of queued signature checks for other validators' blocks: enough for two of the longest blocks. */
const MAX_BLOCK_SIGNATURES = 1_000_000;

/** The parts that build, verify and commit blocks. */
export interface BlockServices extends Pick<VerifyParts, 'executor' | 'epochRules' | 'verifySignature'> {
  readonly predictor: Predictor;
  readonly itemChecks: ItemChecks;
}

/** Builds block execution, and starts predicting the accesses of pooled transactions. */
export function openBlockServices(
  { log, chainNow, metrics }: CoreOptions,
  opened: ChainState & PoolServices & OpenedFaultRecord & { readonly workers: Workers },
): BlockServices {
  const { crypto, store, chain, pool, onAdmitted, record, marker } = opened;
  const { blocks: workers } = opened.workers;
  const predictor = new Predictor({
    pool: workers,
    environment: () => {
      const { tip } = chain;
      return nextEnvironment(tip, { epoch: tip.epochs.validators.epoch, proposer: 0 }, BigInt(chainNow()));
    },
    shouldPredict: ({ hashHex }) =>
      pool.get(hashHex) !== undefined && record.trustLevel(hashHex) === 'trusted',
    onPredict: (transactions) => {
      const names = transactions.map(({ hashHex }) => ({ name: hashHex }));
      if (names.length === 0) marker.end('predicted');
      else marker.begin('predicted', names);
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
  return {
    predictor,
    itemChecks,
    executor: new BlockExecutor(chain.accounts, store, crypto, workers, sharing, (fault) =>
      observeOpeningFault(metrics?.chain, log, fault),
    ),
    epochRules: new EpochRules(crypto, workers, itemChecks),
    verifySignature: async (transaction) =>
      verifiedInPool(pool, transaction) ?? (await signatures.verify(transaction)),
  };
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
