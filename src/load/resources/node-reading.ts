import { boundedText } from '../../async/bounded-text.js';
import { defined } from '../../base/defined.js';
import type { NodeUsage, ThreadUsage } from './usage.js';

const TIMEOUT_MS = 2_000;
/** Several times what a node with all its metrics sends. */
const MAX_BYTES = 4 * 1_024 * 1_024;

/** Label values read of one metric: a node has a few threads and pools. */
const MAX_SERIES = 64;

/** Values of a metric by the value of its label; a metric without labels has one, of the empty text. */
export type Series = ReadonlyMap<string, number>;

/**
 * Fetches a node's metrics.
 * @param endpoint the node's endpoint for RPC; its metrics are beside it
 * @throws BodyTooLongError; an error with the status of another answer; whatever `fetch` throws
 */
export async function fetchMetrics(endpoint: string): Promise<string> {
  const url = new URL('../metrics', endpoint);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await boundedText(response, MAX_BYTES);
  if (response.ok) return text;
  throw new Error(`${url} answered with status ${response.status}`);
}

/**
 * Reads some metrics of a Prometheus text. Lines of other metrics, and malformed ones, are skipped.
 * @param wanted names of metrics, each with the label to read; values that differ only in other labels are added up
 */
export function readMetrics(
  text: string,
  wanted: Readonly<Record<string, string>>,
): ReadonlyMap<string, Series> {
  const found = new Map<string, Map<string, number>>();
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{([^}]*)\})? (\S+)$/.exec(line) ?? [];
    const label = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    const number = Number(value);
    if (label === undefined || value === '' || !Number.isFinite(number) || number < 0) continue;
    const series = found.get(name) ?? new Map<string, number>();
    found.set(name, series);
    const key = labelValue(labels, label);
    if (series.has(key) || series.size < MAX_SERIES) series.set(key, (series.get(key) ?? 0) + number);
  }
  return found;
}

function labelValue(labels: string, name: string): string {
  for (const pair of labels.split(',')) {
    const [, key, value = ''] = /^(\w+)="([^"\\]{0,64})"$/.exec(pair) ?? [];
    if (key === name) return value;
  }
  return '';
}

/** The metrics that tell how busy a node is, each with its label. */
const WANTED = {
  process_cpu_seconds_total: '',
  process_resident_memory_bytes: '',
  heddle_thread_active_seconds_total: 'thread',
  heddle_thread_processor_seconds_total: 'thread',
  heddle_worker_tasks: 'pool',
  heddle_worker_threads: 'pool',
  heddle_rpc_calls_total: 'outcome',
  heddle_parallel_work_seconds_total: '',
  heddle_block_roots_seconds_sum: '',
  heddle_block_commit_seconds_sum: '',
  heddle_block_seal_seconds_sum: '',
} as const;

/** What a node's metrics said at one moment. */
export interface NodeReading {
  /** Time of the reading; only differences mean something. */
  readonly atMs: number;
  readonly series: ReadonlyMap<string, Series>;
}

/** @returns undefined if the text has no metrics of a node */
export function readingOf(text: string, atMs: number): NodeReading | undefined {
  const series = readMetrics(text, WANTED);
  return series.has('process_cpu_seconds_total') ? { atMs, series } : undefined;
}

/** How busy the node was between two readings; undefined if it restarted in between, or without time in between. */
export function usageBetween(before: NodeReading, after: NodeReading): NodeUsage | undefined {
  const seconds = (after.atMs - before.atMs) / 1_000;
  if (seconds <= 0) return undefined;
  const rate = (name: keyof typeof WANTED, label = ''): number | undefined => {
    const [old, now] = [metricOf(before, name, label), metricOf(after, name, label)];
    return old === undefined || now === undefined ? undefined : (now - old) / seconds;
  };
  const cores = rate('process_cpu_seconds_total');
  if (cores === undefined || cores < 0) return undefined;
  const threadUsage = (thread: string): ThreadUsage | undefined => {
    const busy = rate('heddle_thread_active_seconds_total', thread);
    const used = rate('heddle_thread_processor_seconds_total', thread);
    return busy === undefined ? undefined : defined({ busy: atMostOne(busy), cores: used });
  };
  const fronts = [...(after.series.get('heddle_thread_active_seconds_total')?.keys() ?? [])]
    .filter((thread) => thread.startsWith('front-'))
    .map(threadUsage)
    .filter((usage) => usage !== undefined)
    .sort((a, b) => b.busy - a.busy);
  const workers = metricOf(after, 'heddle_worker_threads', 'blocks');
  const tasks = metricOf(after, 'heddle_worker_tasks', 'blocks');
  const contracts = rate('heddle_parallel_work_seconds_total');
  // The series of an outcome begins with its first call.
  const refused = (outcome: string) =>
    after.series.has('heddle_rpc_calls_total')
      ? ((metricOf(after, 'heddle_rpc_calls_total', outcome) ?? 0) -
          (metricOf(before, 'heddle_rpc_calls_total', outcome) ?? 0)) /
        seconds
      : undefined;
  const share = (of: number | undefined) =>
    of === undefined || !workers ? undefined : atMostOne(of / workers);
  return defined({
    cores,
    memory_bytes: metricOf(after, 'process_resident_memory_bytes') ?? 0,
    main: threadUsage('main'),
    front: fronts[0],
    block_workers: share(tasks),
    contracts: share(contracts),
    roots: rate('heddle_block_roots_seconds_sum'),
    commit: rate('heddle_block_commit_seconds_sum'),
    seal: rate('heddle_block_seal_seconds_sum'),
    rate_limited: refused('rate_limited'),
    overloaded: refused('overloaded'),
  });
}

function metricOf({ series }: NodeReading, name: keyof typeof WANTED, label = ''): number | undefined {
  return series.get(name)?.get(label);
}

function atMostOne(share: number): number {
  return Math.min(1, share);
}
