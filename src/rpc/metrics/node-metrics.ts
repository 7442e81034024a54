import { type Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { ReportedFault } from '../../chain/faults/containment.js';
import { NATIVE_PARTS, type NativeChoice } from '../../config/native-mode.js';
import type { ParallelStatistics } from '../../execution/parallel/statistics.js';
import { REASON_NAMES, type RejectionReason, reasonName } from '../../mempool/errors.js';
import { Declarations } from './declare.js';
import { NATIVE_LABEL_PREFIX } from './labels.js';
import { RpcMetrics, type ThreadCounts, threadCounts } from './rpc-metrics.js';
import { RpcSeries } from './rpc-series.js';
import { ThreadMonitor } from './thread-monitor.js';

/** Buckets in seconds; a block takes milliseconds to a few seconds. */
const BLOCK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const VERDICTS: readonly ReportedFault['verdict'][] = ['suspected', 'out'];

export interface ChainGauges {
  /** Height of the last committed block, which is final. */
  height(): bigint;
  baseFee(): bigint;
  /** Timestamp of that block, and the node's clock, in milliseconds since 1970. */
  tipTimeMs(): number;
  now(): number;
  /** Number of blocks that are not final yet, and the approximate memory they take. */
  pendingBlocks(): number;
  pendingBytes(): number;
  poolTransactions(): number;
  poolBytes(): number;
  waiters(): number;
  storeBytes(): Promise<number>;
}

export type ChainMetrics = ReturnType<typeof chainMetrics>;

/** Metrics of the chain: counters updated when blocks are sealed and committed, and gauges from `watch`. */
export function chainMetrics(declare: Declarations) {
  const seconds = (what: string, help: string) =>
    declare.histogram(`heddle_block_${what}_seconds`, help, BLOCK_BUCKETS);
  const checkpointSeconds = declare.histogram(
    'heddle_checkpoint_cut_seconds',
    'Time to cut a checkpoint in its worker, with the pauses that leave time for other work',
    [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
  );
  const failures = declare.events('heddle_checkpoint_failures_total', 'Checkpoints that could not be cut');
  const rejections = declare.events(
    'heddle_pool_rejections_total',
    'Submitted transactions and bundles that the pool rejected, by reason',
    'reason',
    REASON_NAMES,
  );
  return {
    transactions: declare.events('heddle_chain_transactions_total', 'Transactions committed since the start'),
    faults: declare.events(
      'heddle_execution_faults_total',
      'Candidates that could not be executed, by verdict: suspected (retried alone) or removed for good',
      'verdict',
      VERDICTS,
    ),
    openingFaults: declare.events(
      'heddle_opening_faults_total',
      'Failures to execute sealed transactions, each retried after a pause',
    ),
    gasUsed: declare.events('heddle_chain_gas_total', 'Gas used by transactions committed since the start'),
    blockTransactions: declare.histogram(
      'heddle_block_transactions',
      'Transactions in a block',
      [0, 1, 10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000],
    ),
    sealSeconds: seconds('seal', 'Time from the start of a block to its synced commit'),
    executeSeconds: seconds('execute', "Execution of a block's transactions"),
    rootsSeconds: seconds('roots', "Computing a block's roots in the proof worker"),
    commitSeconds: seconds('commit', "Writing a block's batch, synced"),
    parallel: parallelMetrics(declare),

    /** @param outcome milliseconds that a cut took, or its failure */
    checkpoint(outcome: number | 'failed'): void {
      if (outcome === 'failed') failures.inc();
      else checkpointSeconds.observe(outcome / 1_000);
    },

    refuse(reason: RejectionReason): void {
      rejections.inc({ reason: reasonName(reason) });
    },

    /** Adds the gauges; call once. */
    watch(source: ChainGauges): void {
      const tipAge = () => Math.max(0, source.now() - source.tipTimeMs()) / 1_000;
      const gauges = [
        ['chain_height', 'Height of the last committed block', () => source.height()],
        ['chain_finalized_height', 'Height of the last final block', () => source.height()],
        ['chain_tip_age_seconds', 'Time since the timestamp of the last committed block', tipAge],
        ['chain_base_fee', 'Base fee of the next block', () => source.baseFee()],
        ['chain_pending_blocks', 'Blocks that are not final', () => source.pendingBlocks()],
        ['chain_pending_bytes', 'Bytes of the blocks that are not final', () => source.pendingBytes()],
        ['pool_transactions', 'Transactions in the pool', () => source.poolTransactions()],
        ['pool_bytes', 'Bytes of the transactions in the pool', () => source.poolBytes()],
        ['rpc_waiters', 'Callers waiting for their transaction to be in a block', () => source.waiters()],
        ['store_bytes', "Size of the store's files", () => source.storeBytes()],
      ] as const;
      for (const [name, help, value] of gauges) declare.gauge(`heddle_${name}`, help, value);
    },
  };
}

function parallelMetrics(declare: Declarations) {
  const counter = (what: string, help: string) => declare.events(`heddle_parallel_${what}_total`, help);
  const units = counter('units', 'Contract calls and bundles of blocks run by workers');
  const groups = counter('groups', 'Groups of calls and bundles expected to be independent');
  const reruns = counter('reruns', 'Runs repeated because of conflicts with runs on other workers');
  const wastedGas = counter('wasted_gas', 'Gas of the discarded runs');
  const workSeconds = counter('work_seconds', 'Worker time of the runs that were kept');
  const elapsedSeconds = counter('elapsed_seconds', 'Time to execute the blocks that workers shared');
  const speedUp = declare.histogram(
    'heddle_parallel_speed_up',
    "Work of a block's runs by the time that the block took",
    [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3, 4, 6, 8],
  );
  return {
    observe(block: ParallelStatistics): void {
      if (block.units === 0) return;
      units.inc(block.units);
      groups.inc(block.groups);
      reruns.inc(block.reruns);
      wastedGas.inc(Number(block.wastedGas));
      workSeconds.inc(block.workMs / 1_000);
      elapsedSeconds.inc(block.elapsedMs / 1_000);
      speedUp.observe(block.speedUp);
    },
  };
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

export class NodeMetrics {
  readonly registry = new Registry();
  readonly #declare = new Declarations(this.registry);
  readonly rpc = new RpcMetrics();
  readonly chain: ChainMetrics;
  readonly #series: RpcSeries;
  readonly #monitor = new ThreadMonitor();
  /** Errors that could not be reported to a caller, by origin. */
  readonly faults: Counter<'origin'>;

  /** @param parts the implementation in use for each part that has a native variant */
  describeBuild(version: string, parts: ReadonlyMap<string, NativeChoice>): void {
    const names = ['version', 'node_version', ...NATIVE_PARTS.map(label)];
    this.#declare.gauges(
      'heddle_build_info',
      '1; the labels give the version and, for each part with a native implementation, whether it is in use',
      names,
      () => [
        [[version, process.version, ...NATIVE_PARTS.map((part) => String(parts.get(part)?.native ?? ''))], 1],
      ],
    );
  }

  constructor() {
    const declare = this.#declare;
    // Event-loop lag, CPU, memory, garbage collection, descriptors.
    collectDefaultMetrics({ register: this.registry });
    // Removes gauges named like counters, which Prometheus' naming rules forbid; the gauges by type remain.
    for (const name of ['handles', 'requests', 'resources']) {
      this.registry.removeSingleMetric(`nodejs_active_${name}_total`);
    }
    this.#series = new RpcSeries(this.registry);
    this.chain = chainMetrics(declare);
    this.faults = declare.events(
      'heddle_faults_total',
      'Errors that could not be reported to a caller; the log has them with their ids',
      'origin',
    );
  }

  stop(): void {
    this.#monitor.stop();
  }

  /** @param others counts of the other threads, by thread name */
  async render(others: ReadonlyMap<string, ThreadCounts> = new Map()): Promise<RenderedMetrics> {
    const main = threadCounts(this.rpc, this.#monitor);
    this.#series.show(new Map([['main', main], ...others]));
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}

function label(part: string): string {
  return `${NATIVE_LABEL_PREFIX}${part.replaceAll(/[^a-z0-9]+/g, '_')}`;
}
