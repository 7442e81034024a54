import { fetchMetrics, readMetrics } from '../../load/resources/node-reading.js';

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

/**
 * Reads a node's metrics.
 * @param endpoint URL of the RPC interface; the same server serves the metrics
 * @returns undefined if metrics are unavailable, or if no block has used the workers yet
 */
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
