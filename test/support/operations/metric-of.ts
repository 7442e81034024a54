import type { RpcClient } from '../../outside/rpc.js';

/** The value of a node's metric, summed over all its labels; 0 if absent. */
export async function metricOf(rpc: RpcClient, name: string): Promise<number> {
  const { body } = await rpc.http({ path: '/metrics' });
  let sum = 0;
  for (const line of body.toString().split('\n')) {
    if (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) {
      sum += Number(line.slice(line.lastIndexOf(' ') + 1));
    }
  }
  return sum;
}
