import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { NATIVE_PARTS, type NativeChoice } from '../../config/native-mode.js';
import type { ParallelStatistics } from '../../execution/parallel/statistics.js';
import { REASON_NAMES, type RejectionReason, reasonName } from '../../mempool/errors.js';
import { RpcMetrics, type ThreadCounts, threadCounts } from './rpc-metrics.js';
import { RpcSeries } from './rpc-series.js';
import { ThreadMonitor } from './thread-monitor.js';

/** Seconds; a block is a matter of milliseconds to a few seconds. */
const BLOCK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Where the gauges of chain, pool and store read when Prometheus asks. */
export interface ChainGauges {
  /** Of the last committed block, which is final. */
  height(): bigint;
  /** Of the next block. */
  baseFee(): bigint;
  /** Blocks that are not final, and about what they take in memory. */
  pendingBlocks(): number;
  pendingBytes(): number;
  poolTransactions(): number;
  poolBytes(): number;
  /** Callers that wait for their transaction. */
  waiters(): number;
  storeBytes(): Promise<number>;
}

/** What the chain reports; counted by whoever seals and commits, the gauges read from where {@link watch} says. */
export class ChainMetrics {
  readonly transactions: Counter;
  readonly faults: Counter<'verdict'>;
  readonly openingFaults: Counter;
  readonly invalidProposals: Counter<'validator'>;
  readonly gasUsed: Counter;
  readonly blockTransactions: Histogram;
  readonly sealSeconds: Histogram;
  readonly executeSeconds: Histogram;
  readonly rootsSeconds: Histogram;
  readonly commitSeconds: Histogram;
  readonly parallel: ParallelMetrics;
  readonly #rejections: Counter;
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
    const seconds = (name: string, help: string): Histogram =>
      new Histogram({ name, help, registers, buckets: BLOCK_BUCKETS });
    this.transactions = counter('heddle_chain_transactions_total', 'Transactions committed since the start');
    this.faults = new Counter({
      name: 'heddle_execution_faults_total',
      help: 'Candidates that could not be executed, by verdict: suspected, to be tried once more alone, or out for good',
      labelNames: ['verdict'],
      registers,
    });
    this.openingFaults = counter(
      'heddle_opening_faults_total',
      'Failures to execute what sealed transactions hold: tried again after a pause',
    );
    this.invalidProposals = new Counter({
      name: 'heddle_consensus_invalid_proposals_total',
      help: 'Invalid proposals of other validators, by index in the set of their epoch',
      labelNames: ['validator'],
      registers,
    });
    this.gasUsed = counter('heddle_chain_gas_total', 'Gas used by transactions committed since the start');
    this.blockTransactions = new Histogram({
      name: 'heddle_block_transactions',
      help: 'Transactions in a block',
      registers,
      buckets: [0, 1, 10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000],
    });
    this.sealSeconds = seconds('heddle_block_seal_seconds', 'From the start of a block to its synced commit');
    this.executeSeconds = seconds('heddle_block_execute_seconds', "Execution of a block's transactions");
    this.rootsSeconds = seconds(
      'heddle_block_roots_seconds',
      "Computing a block's roots in the proof worker",
    );
    this.commitSeconds = seconds('heddle_block_commit_seconds', "Writing a block's batch, synced");
    this.parallel = new ParallelMetrics(registry);
    this.#rejections = new Counter({
      name: 'heddle_pool_rejections_total',
      help: 'Transactions and bundles that were sent and may not enter the pool, by reason',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of REASON_NAMES) this.#rejections.inc({ reason }, 0);
  }

  /** Counts a transaction or a bundle that may not enter the pool. */
  refuse(reason: RejectionReason): void {
    this.#rejections.inc({ reason: reasonName(reason) });
  }

  /** Adds the gauges; once. */
  watch(source: ChainGauges): void {
    const gauges = [
      ['heddle_chain_height', 'Height of the last committed block', () => source.height()],
      ['heddle_chain_finalized_height', 'Height of the last final block', () => source.height()],
      ['heddle_chain_base_fee', 'Base fee of the next block', () => source.baseFee()],
      ['heddle_chain_pending_blocks', 'Blocks that are not final', () => source.pendingBlocks()],
      ['heddle_chain_pending_bytes', 'Bytes of the blocks that are not final', () => source.pendingBytes()],
      ['heddle_pool_transactions', 'Transactions in the pool', () => source.poolTransactions()],
      ['heddle_pool_bytes', 'Bytes of the transactions in the pool', () => source.poolBytes()],
      [
        'heddle_rpc_waiters',
        'Callers that wait for their transaction to be in a block',
        () => source.waiters(),
      ],
      ['heddle_store_bytes', "Size of the store's files", () => source.storeBytes()],
    ] as const;
    for (const [name, help, value] of gauges) {
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        async collect() {
          this.set(Number(await value()));
        },
      });
    }
  }
}

/** How workers shared the blocks that had work for them. */
export class ParallelMetrics {
  readonly #units: Counter;
  readonly #groups: Counter;
  readonly #reruns: Counter;
  readonly #wastedGas: Counter;
  readonly #workSeconds: Counter;
  readonly #elapsedSeconds: Counter;
  readonly #speedUp: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
    this.#units = counter(
      'heddle_parallel_units_total',
      'Contract calls and bundles of blocks run by workers',
    );
    this.#groups = counter(
      'heddle_parallel_groups_total',
      'Groups of them that were expected to be independent',
    );
    this.#reruns = counter('heddle_parallel_reruns_total', 'Runs repeated because of what ran elsewhere');
    this.#wastedGas = counter('heddle_parallel_wasted_gas_total', 'Gas of the runs that were thrown away');
    this.#workSeconds = counter(
      'heddle_parallel_work_seconds_total',
      'Time of workers in the runs that counted',
    );
    this.#elapsedSeconds = counter(
      'heddle_parallel_elapsed_seconds_total',
      'Time that executing those blocks took',
    );
    this.#speedUp = new Histogram({
      name: 'heddle_parallel_speed_up',
      help: "Work of a block's runs by the time that the block took",
      registers,
      buckets: [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3, 4, 6, 8],
    });
  }

  observe(block: ParallelStatistics): void {
    if (block.units === 0) return;
    this.#units.inc(block.units);
    this.#groups.inc(block.groups);
    this.#reruns.inc(block.reruns);
    this.#wastedGas.inc(Number(block.wastedGas));
    this.#workSeconds.inc(block.workMs / 1_000);
    this.#elapsedSeconds.inc(block.elapsedMs / 1_000);
    this.#speedUp.observe(block.speedUp);
  }
}

/** The text of a page for Prometheus. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Every metric of the node, in a registry of its own. */
export class NodeMetrics {
  readonly registry = new Registry();
  /** Of this thread. */
  readonly rpc = new RpcMetrics();
  readonly chain: ChainMetrics;
  readonly #series: RpcSeries;
  readonly #monitor = new ThreadMonitor();
  /** Errors that nobody who asked could be told of, by where they came to light. */
  readonly faults: Counter<'origin'>;

  /**
   * Adds what is the same for as long as the process runs; once.
   * @param parts which implementation serves each part that has a native one
   */
  describeBuild(version: string, parts: ReadonlyMap<string, NativeChoice>): void {
    const labels = () => ({
      version,
      node_version: process.version,
      ...Object.fromEntries(NATIVE_PARTS.map((part) => [label(part), String(parts.get(part)?.native ?? '')])),
    });
    new Gauge({
      name: 'heddle_build_info',
      help: '1; its labels say what runs: the version, and of each part with a native implementation whether that serves',
      labelNames: Object.keys(labels()),
      registers: [this.registry],
      collect() {
        this.reset();
        this.set(labels(), 1);
      },
    });
  }

  constructor() {
    // Event-loop lag, CPU, memory, garbage collection, descriptors.
    collectDefaultMetrics({ register: this.registry });
    // Gauges with the name of a counter, which Prometheus' rules refuse; the same by type stay.
    for (const name of ['handles', 'requests', 'resources']) {
      this.registry.removeSingleMetric(`nodejs_active_${name}_total`);
    }
    this.#series = new RpcSeries(this.registry);
    this.chain = new ChainMetrics(this.registry);
    this.faults = new Counter({
      name: 'heddle_faults_total',
      help: 'Errors that nobody who asked could be told of; the log has them with their ids',
      labelNames: ['origin'],
      registers: [this.registry],
    });
  }

  /** Gives up what would keep on measuring. */
  stop(): void {
    this.#monitor.stop();
  }

  /**
   * All of it as Prometheus reads it.
   * @param others what other threads say, by their names
   */
  async render(others: ReadonlyMap<string, ThreadCounts> = new Map()): Promise<RenderedMetrics> {
    const main = threadCounts(this.rpc, this.#monitor);
    this.#series.show(new Map([['main', main], ...others]));
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}

function label(part: string): string {
  return `native_${part.replaceAll(/[^a-z0-9]+/g, '_')}`;
}
