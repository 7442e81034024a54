import type { NodeRpcV1Client } from '../generated/node-rpc-v1-client.js';

/** The node's view of one account's lane. */
export interface LaneNonces {
  /** The nonce that the chain expects next. */
  readonly next: bigint;
  /** Nonces in the pool, in no particular order. */
  readonly waiting: readonly bigint[];
}

/** @param address 20 bytes @throws RpcCallError, ClientError */
export async function readLaneNonces(
  client: Pick<NodeRpcV1Client, 'account' | 'list_pending_txs'>,
  address: Uint8Array,
  id: number,
): Promise<LaneNonces> {
  const { lanes } = await client.account({ address });
  const lane = lanes.find((entry) => entry.lane === id);
  const waiting: bigint[] = [];
  if (lane !== undefined && lane.pending > 0) {
    let cursor: string | undefined;
    do {
      const page = await client.list_pending_txs({
        sender: address,
        ...(cursor !== undefined && { cursor }),
      });
      for (const entry of page.transactions) if (entry.lane === id) waiting.push(entry.nonce);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }
  return { next: lane?.next_nonce ?? 0n, waiting };
}

/** The lowest nonce that a transaction of the lane can still take. */
export function firstMissing({ next, waiting }: LaneNonces): bigint {
  const used = new Set(waiting);
  let missing = next;
  while (used.has(missing)) missing += 1n;
  return missing;
}
