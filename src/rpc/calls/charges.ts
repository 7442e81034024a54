import { covers } from '../access/paid-access.js';
import { RpcError, type RpcErrorKind } from '../errors.js';
import type { InvocationContext } from '../handlers.js';
import type { CallableMethod } from '../method-table.js';

/** Errors that are the fault of the node; such calls cost nothing. */
export const UNCHARGED: ReadonlySet<RpcErrorKind> = new Set(['internal_error', 'not_ready', 'overloaded']);

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
