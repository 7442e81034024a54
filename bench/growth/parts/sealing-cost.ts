import type { RpcClient } from '../../../test/outside/rpc.js';
import { drained, nodeStatus, submitEvery } from '../../../test/outside/traffic.js';
import type { SentTransaction } from '../../../test/outside/wallet.js';
import type { NodeProcess } from '../../../test/support/nodes/node-process.js';
import { processCpuSeconds } from '../../support/statistics.js';

/** Transactions in one JSON-RPC batch. */
const BATCH = 100;

export interface SealingCost {
  /** Processor time of all threads of the node, from the first submission until all are in blocks, in µs. */
  readonly cpuMicros: number;
  readonly blocks: number;
}

/** Submits transactions and waits until they are sealed. */
export async function sealingCost(
  node: Pick<NodeProcess, 'pid'>,
  rpc: RpcClient,
  sent: readonly SentTransaction[],
): Promise<SealingCost> {
  const { tip } = await nodeStatus(rpc);
  const before = processCpuSeconds(node.pid);
  for (let at = 0; at < sent.length; at += BATCH) await submitEvery(rpc, sent.slice(at, at + BATCH));
  await drained(rpc);
  const cpuMicros = (processCpuSeconds(node.pid) - before) * 1e6;
  const after = await nodeStatus(rpc);
  return { cpuMicros, blocks: Number(after.tip.height - tip.height) };
}
