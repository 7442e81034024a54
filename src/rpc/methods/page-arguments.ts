import type { CommittedChain } from '../../chain/committed-chain.js';
import { invalidParams, limitExceeded, RpcError } from '../errors.js';

const DEFAULT_PAGE_SIZE = 50;

export type ChainRange = Pick<CommittedChain, 'firstHeight' | 'tip'>;

export function pageLimit(
  limit: number | undefined,
  maxPageSize: number,
  subject: 'page_size' | 'logs' = 'page_size',
): number {
  if (limit === undefined) return Math.min(DEFAULT_PAGE_SIZE, maxPageSize);
  if (limit === 0) throw invalidParams('params.limit', `an integer from 1 to ${maxPageSize}`, '0');
  if (limit > maxPageSize) throw limitExceeded(subject, maxPageSize, limit, 'params.limit');
  return limit;
}

/**
 * Refuses a range from below a snapshot that the node started from; block 0, a mere header, is always there.
 * @throws RpcError `state_unavailable`
 */
export function expectStored({ firstHeight, tip }: ChainRange, from: bigint, to?: bigint): void {
  if (from >= firstHeight || to === 0n) return;
  const message = `blocks below ${firstHeight} are not on this node, which started from a snapshot; asked from ${from}`;
  throw new RpcError('state_unavailable', message, { oldest: firstHeight, newest: tip.header.height });
}

/**
 * Refuses a range above the tip: an empty answer would look complete, although other nodes may have the blocks.
 * @throws RpcError `not_found`, retryable
 */
export function expectReached({ tip }: ChainRange, from: bigint): void {
  const { height } = tip.header;
  if (from <= height) return;
  const message = `there is no block ${from} yet; the newest is ${height}`;
  throw new RpcError('not_found', message, { next: height + 1n }, { retryable: true });
}
