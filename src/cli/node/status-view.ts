import { percent } from '../../base/number-text.js';
import { formatAmount, formatHash } from '../../client/client.js';
import type { BlockSummary, Status, TxpoolStats, ValidatorStatus } from '../../generated/node-rpc-v1.js';
import { fetchMetrics, readMetrics } from '../../load/resources/node-reading.js';

export interface StatusSample {
  readonly endpoint: string;
  readonly status: Status;
  readonly pool: TxpoolStats;
  readonly validator: ValidatorStatus;
  /** The last blocks, newest first. */
  readonly blocks: readonly BlockSummary[];
  /** Block worker usage; absent if no block has used the workers, or if metrics are unavailable. */
  readonly parallel?: ParallelSample;
}

const RATE_WINDOW_MS = 10_000;

const BAR_WIDTH = 30;

/**
 * Transactions per second over the last ten seconds, by block timestamps, and the mean ratio of gas used to gas limit, over
 * the blocks with transactions.
 */
export function throughput(sample: Pick<StatusSample, 'status' | 'blocks'>) {
  const endMs = Number(sample.status.now_ms);
  const recent = sample.blocks.filter((block) => endMs - Number(block.timestamp_ms) <= RATE_WINDOW_MS);
  // If all sampled blocks are within the window, older blocks of the window may be missing.
  const oldest = recent.length === sample.blocks.length ? recent.at(-1) : undefined;
  const counted = oldest === undefined || oldest.height === 0n ? recent : recent.slice(0, -1);
  const spanMs = oldest === undefined ? RATE_WINDOW_MS : Math.max(1, endMs - Number(oldest.timestamp_ms));
  const transactions = counted.reduce((sum, block) => sum + block.tx_count, 0);
  const busy = counted.filter((block) => block.tx_count > 0 && block.gas_limit > 0n);
  const fills = busy.map((block) => Number(block.gas_used) / Number(block.gas_limit));
  return {
    transactionsPerSecond: (transactions * 1_000) / spanMs,
    fill: fills.length === 0 ? 0 : fills.reduce((sum, fill) => sum + fill, 0) / fills.length,
  };
}

export function renderScreen(sample: StatusSample): string[] {
  const { status, pool, validator, endpoint, parallel } = sample;
  const { tip } = status;
  const { transactionsPerSecond, fill } = throughput(sample);
  const metrics = validator.consensus;
  const changes = validator.pending_changes.length;
  const share = pool.capacity === 0 ? 0 : pool.size / pool.capacity;
  return [
    `heddle ${status.version}   chain ${status.chain_id}   ${endpoint}   up ${duration(Number(status.uptime_ms))}`,
    '',
    row('height', `${formatAmount(tip.height)}   sealed ${ago(status.now_ms - tip.timestamp_ms)}`),
    row('tip', formatHash(tip.hash)),
    row('state root', formatHash(tip.state_root)),
    row(
      'finalized',
      `${formatAmount(status.finalized_height)}${behind(tip.height - status.finalized_height)}`,
    ),
    row('', ''),
    row('tx/s', transactionsPerSecond.toFixed(1)),
    row('block fill', `${bar(fill)} ${percent(fill)}`),
    ...(parallel === undefined ? [] : [row('parallel', parallelText(parallel))]),
    row('base fee', formatAmount(pool.base_fee)),
    row('pool', `${bar(share)} ${pool.size} of ${pool.capacity}`),
    row('', `${pool.ready} ready, ${pool.gapped} behind a gap, in ${pool.lanes} lanes`),
    row('', ''),
    row(
      'validator',
      `${validator.role.type}, ${validator.sync.state.type.replaceAll('_', ' ')}, ${status.validator_set.validators.length} in the set (quorum ${status.validator_set.quorum})`,
    ),
    row('epoch, view', `${status.epoch}, ${tip.view}`),
    ...(changes === 0
      ? []
      : [row('changes', `${changes} of the set pending: see "heddle validator changes"`)]),
    row('blocks every', quantiles(metrics.block_interval_ms)),
    row('final after', quantiles(metrics.finality_latency_ms)),
  ];
}

export function renderLine(sample: StatusSample): string {
  const { status, pool } = sample;
  const { transactionsPerSecond, fill } = throughput(sample);
  return [
    `height=${status.tip.height}`,
    `hash=${formatHash(status.tip.hash)}`,
    `finalized=${status.finalized_height}`,
    `tx/s=${transactionsPerSecond.toFixed(1)}`,
    `fill=${percent(fill)}`,
    `pool=${pool.size}`,
    `ready=${pool.ready}`,
    `gapped=${pool.gapped}`,
    `base_fee=${pool.base_fee}`,
  ].join(' ');
}

function parallelText({ units, groups, reruns, speedUp }: ParallelSample): string {
  const again = percent(reruns / units);
  return `${speedUp.toFixed(2)} × one worker, ${(units / groups).toFixed(1)} calls a group, ${again} run again`;
}

function row(name: string, value: string): string {
  return name === '' && value === '' ? '' : `${name.padEnd(13)} ${value}`;
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}

function quantiles(values: { readonly p50: number; readonly p90: number; readonly p99: number }): string {
  return `${values.p50} ms (p90 ${values.p90}, p99 ${values.p99})`;
}

function behind(blocks: bigint): string {
  return blocks <= 0n ? '' : ` (${blocks} behind the tip)`;
}

function ago(ms: bigint): string {
  return `${duration(Number(ms < 0n ? 0n : ms))} ago`;
}

function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Block worker usage since the node started, from its metrics. */
export interface ParallelSample {
  readonly units: number;
  readonly groups: number;
  readonly reruns: number;
  /** Worker time of all kept runs divided by the execution time of their blocks. */
  readonly speedUp: number;
}

const WANTED = Object.fromEntries(
  ['units', 'groups', 'reruns', 'elapsed_seconds', 'work_seconds'].map((name) => [
    `heddle_parallel_${name}_total`,
    '',
  ]),
);

/** Undefined if the server of the RPC interface shows no metrics, or no block has used the workers. */
export async function fetchParallelSample(endpoint: string): Promise<ParallelSample | undefined> {
  // A proxy may hide the metrics. If the node is gone, the caller's RPC request reports it.
  const text = await fetchMetrics(endpoint).catch(() => undefined);
  return text === undefined ? undefined : parallelSample(text);
}

/** @param metrics in Prometheus' text format */
export function parallelSample(metrics: string): ParallelSample | undefined {
  const series = readMetrics(metrics, WANTED);
  const value = (name: string): number => series.get(`heddle_parallel_${name}_total`)?.get('') ?? 0;
  const units = value('units');
  const elapsed = value('elapsed_seconds');
  if (units === 0 || elapsed === 0) return undefined;
  const speedUp = value('work_seconds') / elapsed;
  return { units, groups: value('groups'), reruns: value('reruns'), speedUp };
}
