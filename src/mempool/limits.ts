import { DEFAULT_LIMITS, type Limits } from '../config/limits.js';
import { MAX_TRANSACTION_BYTES } from '../ledger/constants.js';
import type { PoolLimits } from './pool-types.js';

/** The limits of the pool among those of the node. */
export function poolLimits(limits: Limits): PoolLimits {
  const { poolSize, poolBytes, maxNonceGap, gappedTtlMs, bundleBlocks, maxPendingLanes } = limits;
  return Object.freeze({
    maxTransactions: poolSize,
    maxBytes: poolBytes,
    maxTransactionBytes: MAX_TRANSACTION_BYTES,
    maxNonceGap,
    gappedTtlMs,
    bundleBlocks,
    maxPendingLanes,
    minFee: 1n,
    maxRemovals: 32_768,
  });
}

export const DEFAULT_POOL_LIMITS: PoolLimits = poolLimits(DEFAULT_LIMITS);
