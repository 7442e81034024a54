import type { RpcClient } from '../../test/outside/rpc.js';
import type { NodeProcess } from '../../test/support/nodes/node-process.js';
import { readMetrics } from '../../test/support/operations/metrics-lint.js';
import { processCpuSeconds } from './statistics.js';

/** Processor time that a node has used so far, in seconds. */
export interface NodeSeconds {
  readonly main: number;
  /** Of all front threads. */
  readonly front: number;
  /** Of the whole process. */
  readonly all: number;
}

export async function nodeSeconds(node: NodeProcess, rpc: RpcClient): Promise<NodeSeconds> {
  const samples = readMetrics((await rpc.http({ path: '/metrics' })).body.toString());
  let main = 0;
  let front = 0;
  for (const { name, labels, value } of samples) {
    if (name !== 'heddle_thread_processor_seconds_total') continue;
    if (labels['thread'] === 'main') main += value;
    else front += value;
  }
  return { main, front, all: processCpuSeconds(node.pid) };
}
