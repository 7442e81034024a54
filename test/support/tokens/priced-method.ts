import type { PricedMethod } from '../../../src/rpc/access/meter.js';

/** A method with a price, for meters. */
export function pricedMethod(cost: number, name = 'status'): PricedMethod {
  return { name, cost, tier: 'public' };
}
