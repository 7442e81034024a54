import type { Client, SubscriptionTopic, TopicEvents } from '../../client/client.js';

export interface SubscriptionListeners<T extends SubscriptionTopic> {
  /** The first block to report; absent for `pending_txs`. */
  readonly fromHeight?: bigint;
  readonly onStarted?: () => void;
  readonly onEvent: (event: TopicEvents[T]) => void;
  /** Called at the first failure. */
  readonly onEnd?: (error: unknown) => void;
}

/**
 * Subscribes over a WebSocket, and ends at the first failure instead of reconnecting.
 * @returns a function that ends the subscription; no call of a listener follows
 */
export function subscribeOnce<T extends SubscriptionTopic>(
  node: Client,
  topic: T,
  { fromHeight, onStarted, onEvent, onEnd }: SubscriptionListeners<T>,
): () => void {
  let isOver = false;
  const fail = (error: unknown): void => {
    subscription.close();
    if (isOver) return;
    isOver = true;
    onEnd?.(error);
  };
  const options = { onRetry: fail, ...(fromHeight !== undefined && { fromHeight }) };
  const subscription = node.subscribe(topic, options, (event) => {
    if (!isOver) onEvent(event);
  });
  subscription.ended.catch(fail);
  subscription.started.then(() => {
    if (!isOver) onStarted?.();
  }, fail);
  return () => {
    isOver = true;
    // Not earlier: browsers report a WebSocket that is closed while it connects as a fault of the page.
    subscription.started.then(subscription.close.bind(subscription), fail);
  };
}
