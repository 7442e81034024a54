import type { NodeProcess } from '../../../test/support/node-process.js';
import { processCpuSeconds } from '../../support/statistics.js';
import type { CallLoad, CallTask, CallTimes } from './call-load.js';

export interface MeasuredCalls extends CallTimes {
  /** Answers per second. */
  readonly rate: number;
  /** Processor time of all threads of the node per answer, in µs. */
  readonly cpuMicros: number;
}

/** Sends calls to a node and reads its processor time beside them. */
export async function measureCalls(
  load: CallLoad,
  node: Pick<NodeProcess, 'url' | 'pid'>,
  task: Omit<CallTask, 'url'>,
): Promise<MeasuredCalls> {
  const before = processCpuSeconds(node.pid);
  const times = await load.run({ ...task, url: node.url });
  const cpuSeconds = processCpuSeconds(node.pid) - before;
  if (times.answers === 0) throw new Error('the node answered nothing in time');
  return {
    ...times,
    rate: times.answers / times.seconds,
    cpuMicros: (cpuSeconds * 1e6) / times.answers,
  };
}

/** The body of a JSON-RPC request. */
export function callBody(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
