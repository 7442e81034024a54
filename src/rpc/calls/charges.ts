import type { CallAllowance } from '../../async/caller.js';
import { covers } from '../access/paid-access.js';
import { RpcError, type RpcErrorKind } from '../errors.js';
import type { InvocationContext } from '../handlers.js';
import type { CallableMethod } from '../method-table.js';

export const UNIT_GAS = 100_000;
/** Characters of parameters and result that one compute unit pays for. */
export const UNIT_BYTES = 4_096;

/** Gas per millisecond of a call that was ended, whose gas is unknown: compiled code takes at most 4 ns per gas. */
const GAS_PER_MS = 250_000;

/** Gas of each entry of a list in a method's parameters, where entries cost more than their bytes. */
const ENTRY_GAS: ReadonlyMap<string, { readonly list: string; readonly gas: number }> = new Map([
  ['accounts', { list: 'addresses', gas: 10_000 }],
  // A signature check.
  ['tx_submit_bundle', { list: 'transactions', gas: 500_000 }],
]);

/** Errors that are the fault of the node; such calls cost nothing. */
export const UNCHARGED: ReadonlySet<RpcErrorKind> = new Set(['internal_error', 'not_ready', 'overloaded']);

/** What a call does beyond its `@cost`: the gas that workers report, which also counts for the token's limits. */
export class CallWork implements CallAllowance {
  readonly #limits: CallAllowance | undefined;
  #gas = 0;

  constructor(limits?: CallAllowance) {
    this.#limits = limits;
  }

  get gas(): number | undefined {
    return this.#limits?.gas;
  }

  get ms(): number | undefined {
    return this.#limits?.ms;
  }

  use(ms: number, gas: number | undefined): void {
    this.#limits?.use(ms, gas);
    this.#gas += gas ?? ms * GAS_PER_MS;
  }

  noteWork(gas: number): void {
    this.#gas += gas;
  }

  countEntries(method: string, params: unknown): void {
    const entry = ENTRY_GAS.get(method);
    if (entry === undefined) return;
    const list = (params as Readonly<Record<string, unknown>>)[entry.list];
    if (Array.isArray(list)) this.#gas += list.length * entry.gas;
  }

  /** Compute units of the work. @param bytes length of the parameters and of the result */
  units(bytes: number): number {
    return Math.floor(this.#gas / UNIT_GAS) + Math.floor(bytes / UNIT_BYTES);
  }
}

/** Charges a refusal to its caller. @returns the refusal, or another one for a caller beyond its rate */
export function chargeRefusal(refusal: RpcError, { meter }: InvocationContext): RpcError {
  return UNCHARGED.has(refusal.kind) ? refusal : (meter?.chargeRefusal() ?? refusal);
}

/** The error for a caller whose tier does not reach the method's; the refusal is charged. */
export function tierRefusal(
  { declaration }: CallableMethod,
  { authenticated, tier, meter }: InvocationContext,
): RpcError | undefined {
  const { name, tier: required } = declaration;
  if (covers(tier, required)) return undefined;
  const rateLimit = meter?.chargeRefusal();
  if (rateLimit !== undefined) return rateLimit;
  const need = `${name} needs a token of tier ${required}`;
  return authenticated
    ? new RpcError('forbidden', `${need}; yours has tier ${tier}`, { required, tier })
    : new RpcError('unauthorized', `${need}: send it as "Authorization: Bearer <token>"`, { required });
}
