import { ampleLimits } from '../../client/ample-limits.js';
import type { Action } from '../../generated/ledger.js';
import { defaultGasLimit } from '../../ledger/gas.js';

/**
 * A gas limit for a call that needs `estimate` now: the client's default, or more if the call may need more.
 * @param blockGas a block's gas limit, the highest that the node takes; undefined if it is not known
 */
export function gasLimitFor(action: Action, estimate: bigint, blockGas: bigint | undefined): bigint {
  const usual = defaultGasLimit(action);
  const [ample = estimate] = ampleLimits([estimate], blockGas);
  if (ample <= usual) return usual;
  return ample;
}
