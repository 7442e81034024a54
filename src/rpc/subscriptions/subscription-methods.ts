import { RpcError } from '../errors.js';
import type { HandlerContext } from '../handlers.js';
import type { BoundInterface, BoundMethod } from '../rpc-interface.js';
import { decodeSubscribe, decodeSubscriptionId, type SubscribeRequest } from './subscribe-params.js';
import type { Subscriber } from './subscriber.js';

/** Compute units of `subscribe`. Events to come are free; see `EventReplay` for past ones. */
const SUBSCRIBE_COST = 10;
const UNSUBSCRIBE_COST = 1;
const POSITION_COST = 1;

interface SubscriptionResult {
  readonly subscription: string;
  readonly from_height?: bigint;
}

/** The methods that only WebSockets offer: `subscribe`, `unsubscribe` and `subscription_position`. */
export function subscriptionMethods(socketPath: string): BoundInterface {
  const subscriberOf = ({ subscriber }: HandlerContext, name: string): Subscriber => {
    if (subscriber !== undefined) return subscriber;
    const message = `${name} works over a WebSocket only: connect to ${socketPath}`;
    throw new RpcError('invalid_request', message, { member: 'method' });
  };
  return [
    method('subscribe', SUBSCRIBE_COST, decodeSubscribe, (params: SubscribeRequest, call) => ({
      subscription: subscriberOf(call, 'subscribe').subscribe(params, call),
    })),
    method('unsubscribe', UNSUBSCRIBE_COST, decodeSubscriptionId, ({ subscription }, call) => {
      if (subscriberOf(call, 'unsubscribe').unsubscribe(subscription)) return { subscription };
      throw unknownSubscription();
    }),
    method('subscription_position', POSITION_COST, decodeSubscriptionId, ({ subscription }, call) => {
      const height = subscriberOf(call, 'subscription_position').positionOf(subscription);
      if (height === undefined) throw unknownSubscription();
      return { subscription, from_height: height };
    }),
  ];
}

function unknownSubscription(): RpcError {
  return new RpcError('not_found', 'this connection has no such subscription; it may have ended', {});
}

function method<P>(
  name: string,
  cost: number,
  decodeParams: (params: unknown) => P,
  handler: (params: P, call: HandlerContext) => SubscriptionResult,
): BoundMethod {
  return {
    declaration: {
      name,
      qualifiedName: `NodeRpcV1.${name}`,
      tier: 'public',
      cost,
      decodeParams,
      encodeResult: (result) => encodeResult(result as SubscriptionResult),
      isImmutable: false,
    },
    handler: (params, call) => handler(params as P, call),
    takesRawParams: false,
  };
}

function encodeResult({ subscription, from_height: height }: SubscriptionResult): string {
  const position = height === undefined ? '' : `,"from_height":${height}`;
  return `{"subscription":${JSON.stringify(subscription)}${position}}`;
}
