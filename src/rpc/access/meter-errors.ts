import { RpcError } from '../errors.js';
import { refused } from './tokens.js';

/** The refusal of a token that was revoked or lost its slot while a request was under way. */
export const ENDED = refused('it was revoked or its use has ended; send the request again');

/** Cached errors, because a flood would create thousands and stack traces are expensive. */
const RATE_LIMITED = new Map<string, RpcError>();
const PAYMENT_REQUIRED = new Map<string, RpcError>();
const MAX_KEPT_ERRORS = 1_000;

/** @param limit describes the used-up limit in the message */
export function rateLimited(retryMs: number, limit = 'the rate limit'): RpcError {
  // Rounded up to two digits, so that few values occur.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(retryMs)) - 1);
  const rounded = Math.ceil(retryMs / step) * step;
  return kept(RATE_LIMITED, `${rounded} ${limit}`, () => {
    const message = `${limit} is used up; try again in ${rounded} ms`;
    return new RpcError('rate_limited', message, { retry_after_ms: rounded });
  });
}

export function paymentRequired(price: number, left: number): RpcError {
  return kept(PAYMENT_REQUIRED, `${price} ${left}`, () => {
    const message = `the token's compute units are used up: the call costs ${price}, ${left} left`;
    return new RpcError('payment_required', message, { price, left });
  });
}

function kept<K>(errors: Map<K, RpcError>, key: K, create: () => RpcError): RpcError {
  const known = errors.get(key);
  if (known !== undefined) return known;
  if (errors.size >= MAX_KEPT_ERRORS) errors.clear();
  const error = create();
  errors.set(key, error);
  return error;
}
