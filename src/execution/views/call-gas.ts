import { CallError } from './call-error.js';

/**
 * @param given the gas limit that a call requests
 * @param limit maximum gas of one call
 * @throws CallError limit_exceeded if it requests more
 */
export function expectCallGas(given: bigint | undefined, limit: number): void {
  if (given === undefined || given <= BigInt(limit)) return;
  throw new CallError({ code: 'limit_exceeded', subject: 'call_gas', limit, given: Number(given) });
}
