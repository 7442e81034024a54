import type { ReportedFault } from '../chain/faults/containment.js';
import type { PendingBlock } from '../chain/pending-blocks.js';
import type { OpeningFault } from '../chain/sealed/opening-attempts.js';
import type { SealTiming } from '../consensus/shell/ports.js';
import type { ParallelStatistics } from '../execution/parallel/statistics.js';
import { toHex } from '../idl/hex.js';
import type { Logger } from '../log.js';
import type { ChainMetrics, NodeMetrics } from '../rpc/metrics/node-metrics.js';
import type { Tracing } from '../rpc/tracing/tracing.js';

interface Observers {
  readonly metrics: NodeMetrics;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
}

/** Records a sealed block in metrics and traces and, at level debug, in the log. */
export function observeChain(
  { metrics: { chain: metrics }, log, tracing }: Observers,
  block: PendingBlock,
  { totalMs, commitMs }: SealTiming,
): void {
  const { header, openings, executeMs, rootsMs } = block;
  const { length: transactions } = block.transactions;
  metrics.transactions.inc(transactions);
  metrics.gasUsed.inc(Number(header.gas_used));
  metrics.blockTransactions.observe(transactions);
  metrics.sealSeconds.observe(totalMs / 1_000);
  metrics.executeSeconds.observe(executeMs / 1_000);
  metrics.rootsSeconds.observe(rootsMs / 1_000);
  metrics.commitSeconds.observe(commitMs / 1_000);
  tracing?.block({ height: header.height, transactions, totalMs, executeMs, rootsMs, commitMs });
  const { parallel } = block.executed;
  if (parallel !== undefined) metrics.parallel.observe(parallel);
  log.debug(
    {
      height: header.height.toString(),
      hash: toHex(block.hash),
      transactions,
      ...(openings.length === 0 ? {} : { openings: openings.length }),
      gas_used: header.gas_used.toString(),
      execute_ms: Math.round(executeMs),
      roots_ms: Math.round(rootsMs),
      commit_ms: Math.round(commitMs),
      ...(parallel === undefined ? {} : { parallel: parallelFields(parallel) }),
    },
    'sealed a block',
  );
}

function parallelFields(statistics: ParallelStatistics): object {
  const { units, groups, reruns, rounds, wastedGas, workMs, speedUp } = statistics;
  return {
    units,
    groups,
    reruns,
    rounds,
    wasted_gas: wastedGas.toString(),
    work_ms: Math.round(workMs),
    speed_up: Math.round(speedUp * 100) / 100,
  };
}

export function observeFault(
  { metrics, log }: Observers,
  { hashHex, isBundle, verdict, message }: ReportedFault,
): void {
  metrics.chain.faults.inc({ verdict });
  log.error(
    { [isBundle ? 'bundle_hash' : 'tx_hash']: hashHex, verdict, reason: message },
    verdict === 'out'
      ? 'executing a candidate failed again: it is dropped'
      : 'executing a candidate failed: the block continues without it; it is retried once, alone',
  );
}

/** Counts a failed execution of opened transactions, and logs it with the time of the next attempt. */
export function observeOpeningFault(
  metrics: ChainMetrics | undefined,
  log: Logger,
  { height, hashHex, failures, pauseMs, message }: OpeningFault,
): void {
  metrics?.openingFaults.inc();
  log.error(
    {
      height: height.toString(),
      ...(hashHex === undefined ? {} : { tx_hash: hashHex }),
      failures,
      again_in_ms: pauseMs,
      reason: message,
    },
    "an opened transaction could not be executed: this node's blocks stay empty until it can be",
  );
}
