import { CallError } from './call-error.js';

/**
 * @param given the gas limit that a call asks for
 * @param most the most gas of one call
 * @throws CallError limit_exceeded where it asks for more
 */
export function expectCallGas(given: bigint | undefined, most: number): void {
  if (given === undefined || given <= BigInt(most)) return;
  throw new CallError({ code: 'limit_exceeded', subject: 'call_gas', limit: most, given: Number(given) });
}
