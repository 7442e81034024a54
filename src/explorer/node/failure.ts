import { ClientError, RpcCallError } from '../../client/client.js';
import { excerpt } from '../text/untrusted.js';

/** A failed call as shown to users. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  /** True if the same call may succeed later. */
  readonly canRetry: boolean;
  /** True if an access token may help. */
  readonly wantsToken: boolean;
  /** Delay that the node asks for before the next attempt, in milliseconds. */
  readonly retryAfterMs?: number;
}

const MAX_TEXT = 400;

const TITLES: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'The node asks for a valid access token'],
  ['forbidden', 'This access token does not allow the call'],
  ['payment_required', 'The paid quota is used up'],
  ['rate_limited', 'Too many calls in a short time'],
  ['overloaded', 'The node is overloaded'],
  ['not_ready', 'The node is not ready yet'],
  ['not_found', 'Not found'],
  ['state_unavailable', 'The node does not keep this state'],
  ['invalid_params', 'The node refuses these arguments'],
  ['limit_exceeded', 'A limit of the node is exceeded'],
  ['transaction_rejected', 'The node rejects the transaction'],
  ['timeout', 'The call took too long'],
  ['method_not_found', 'The node does not have this method'],
]);

const WANTING_TOKEN = ['unauthorized', 'forbidden', 'payment_required'];

/** Explains why a call failed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RpcCallError) return rejection(error);
  const text = messageOf(error);
  if (!(error instanceof ClientError)) {
    // By name, because the class is in the code of the checks, which most visits never load.
    const isCheck = error instanceof Error && error.name === 'VerifyError';
    return failedCall(isCheck ? 'The check failed' : 'Something went wrong', text);
  }
  switch (error.code) {
    case 'unreachable':
    case 'closed':
      return failedCall('The node does not answer', 'It may be stopped, or the connection may be down.');
    case 'timeout':
      return failedCall('The node took too long', text);
    case 'bad_answer':
      return failedCall('The answer is not understood', text);
    case 'bad_argument':
    case 'bad_key':
    case 'bad_address':
    case 'bad_amount':
      return { ...failedCall('This input is not valid', text), canRetry: false };
    default:
      return failedCall('The call failed', text);
  }
}

function failedCall(title: string, text: string): Failure {
  return { title, text, canRetry: true, wantsToken: false };
}

function rejection(error: RpcCallError): Failure {
  const waitMs = error.retryAfterMs;
  const wait = waitMs === undefined ? '' : ` Try again in ${Math.ceil(waitMs / 1_000)} s.`;
  return {
    title: TITLES.get(error.kind) ?? 'The node reports an error',
    text: `${sentence(messageOf(error))}${wait}`,
    canRetry: error.retryable || error.kind === 'internal_error' || error.kind === 'timeout',
    wantsToken: WANTING_TOKEN.includes(error.kind),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
}

/** The node's messages begin in lower case and have no full stop. */
function sentence(message: string): string {
  const begun = message.replace(/^[a-z]+(?![\w.])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

function messageOf(error: unknown): string {
  const { text, left } = excerpt(error instanceof Error ? error.message : String(error), MAX_TEXT);
  return left === 0 ? text : `${text}…`;
}
