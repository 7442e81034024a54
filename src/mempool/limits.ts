import { MAX_TRANSACTION_BYTES } from '../ledger/constants.js';
import type { PoolLimits } from './pool-types.js';

const MIB = 1_048_576;

export const DEFAULT_POOL_LIMITS: PoolLimits = Object.freeze({
  maxTransactions: 100_000,
  maxBytes: 256 * MIB,
  maxTransactionBytes: MAX_TRANSACTION_BYTES,
  maxNonceGap: 64,
  gappedTtlMs: 600_000,
  bundleBlocks: 100,
  maxPendingLanes: 16,
  minFee: 1n,
  maxRemovals: 32_768,
});
