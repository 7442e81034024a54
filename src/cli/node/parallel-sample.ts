import { boundedText } from '../../async/bounded-text.js';

/** Block worker usage since the node started, from its metrics. */
export interface ParallelSample {
  readonly units: number;
  readonly groups: number;
  readonly reruns: number;
  /** Worker time of all kept runs divided by the execution time of their blocks. */
  readonly speedUp: number;
}

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a node's metrics.
 * @param endpoint URL of the RPC interface; the same server serves the metrics
 * @returns undefined if metrics are unavailable, or if no block has used the workers yet
 */
export async function fetchParallelSample(endpoint: string): Promise<ParallelSample | undefined> {
  let text: string;
  try {
    const answer = await fetch(new URL('../../metrics', endpoint), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    if (!answer.ok) return undefined;
    text = await boundedText(answer, MAX_BYTES);
  } catch {
    // A proxy may hide the metrics. If the node is gone, the caller's RPC request reports it.
    return undefined;
  }
  return parallelSample(text);
}

/** @param metrics in Prometheus' text format */
export function parallelSample(metrics: string): ParallelSample | undefined {
  const value = (name: string): number => {
    const line = new RegExp(`^heddle_parallel_${name}_total (\\S+)$`, 'm').exec(metrics);
    return Number(line?.[1] ?? 0);
  };
  const units = value('units');
  const elapsed = value('elapsed_seconds');
  if (units === 0 || elapsed === 0) return undefined;
  return {
    units,
    groups: value('groups'),
    reruns: value('reruns'),
    speedUp: value('work_seconds') / elapsed,
  };
}
