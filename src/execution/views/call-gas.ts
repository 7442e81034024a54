import { CallError } from './call-error.js';

/**
 * @param given the gas limit that a call asks for
 * @param limit the most gas of one call
 * @throws CallError limit_exceeded where it asks for more
 */
export function expectCallGas(given: bigint | undefined, limit: number): void {
  if (given === undefined || given <= BigInt(limit)) return;
  throw new CallError({ code: 'limit_exceeded', subject: 'call_gas', limit, given: Number(given) });
}
