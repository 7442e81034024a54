import type { Action } from '../../generated/ledger.js';
import { defaultGasLimit } from '../../ledger/gas.js';

/**
 * A gas limit for a call that needs `estimate` now: the client's default, or a quarter more than the estimate if that
 * is higher, because the state may change before the call is executed.
 * @param blockGas a block's gas limit, the highest that the node takes; undefined if it is not known
 */
export function gasLimitFor(action: Action, estimate: bigint, blockGas: bigint | undefined): bigint {
  const usual = defaultGasLimit(action);
  const ample = estimate + estimate / 4n;
  if (ample <= usual) return usual;
  if (blockGas === undefined || ample <= blockGas) return ample;
  return estimate > blockGas ? estimate : blockGas;
}
