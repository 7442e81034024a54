import { NODE_ITSELF } from '../../../src/async/caller.js';
import type { Meter } from '../../../src/rpc/access/meter.js';
import type { InvocationContext } from '../../../src/rpc/handlers.js';

/** The holder of an admin token. @param meter charges its calls */
export function meteredCaller(meter: Meter): InvocationContext {
  return {
    ...NODE_ITSELF,
    remoteAddress: '127.0.0.1',
    requestId: 'r',
    tier: 'admin',
    subject: 'ann',
    tokenId: 'a',
    authenticated: true,
    signal: new AbortController().signal,
    span: undefined,
    refusal: undefined,
    meter,
  };
}
