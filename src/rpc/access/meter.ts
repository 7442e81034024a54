import type { Rate, RateState } from '../../async/gcra.js';
import type { Tier } from '../../idl/manifest.js';
import type { RpcError } from '../errors.js';
import type { CallLimits } from './call-limits.js';

/** A method as its callers pay for it. */
export interface PricedMethod {
  /** The plain name; usage is counted under it. */
  readonly name: string;
  /** Compute units of a call. */
  readonly cost: number;
  readonly tier: Tier;
}

/** Charges the calls of one request to its caller. */
export interface Meter {
  /** @returns undefined if the call may run, its refusal, or `wait` if {@link chargeLater} has to decide */
  charge(method: PricedMethod): RpcError | 'wait' | undefined;
  /** Charges a call that had to wait for units. Resolves to a refusal, or to undefined if the call may run. */
  chargeLater(method: PricedMethod): Promise<RpcError | undefined>;
  /**
   * Charges the work of a call that has ended, beyond its price. It is never refused: the rate or the balance goes
   * below zero, and further calls are refused until it is made up.
   */
  chargeWork(units: number, method: PricedMethod): void;
  /** Refunds the charge of a call that the node could not serve. */
  refund(method: PricedMethod): void;
  /** Charges work that ends in a refusal, such as reading invalid JSON. @returns the refusal beyond the rate */
  chargeRefusal(): RpcError | undefined;
  readonly calls?: CallLimits | undefined;
  headers(): readonly (readonly [name: string, value: string])[];
}

/** Compute units of work that ends in a refusal. */
export const REFUSAL_COST = 2;

export const NO_HEADERS: ReturnType<Meter['headers']> = [];

/** The fields of draft-ietf-httpapi-ratelimit-headers-10, and those of earlier ones, which more clients read. */
export function rateHeaders(
  policy: string,
  { perSecond, burst }: Rate,
  state: RateState,
): ReturnType<Meter['headers']> {
  const seconds = Math.ceil(state.resetMs / 1000);
  const window = Math.max(1, Math.ceil(burst / perSecond));
  return [
    ['ratelimit-policy', `"${policy}";q=${burst};w=${window}`],
    ['ratelimit', `"${policy}";r=${state.remaining};t=${seconds}`],
    ['ratelimit-limit', String(burst)],
    ['ratelimit-remaining', String(state.remaining)],
    ['ratelimit-reset', String(seconds)],
  ];
}
