import type { Client, SubscriptionTopic, TopicEvents } from '../../client/client.js';
import type { BlockSummary } from '../../generated/node-rpc-v1.js';

export interface BlockStreamListeners {
  /** Called once the node has accepted both subscriptions. */
  readonly onStarted: () => void;
  readonly onBlock: (block: BlockSummary) => void;
  readonly onFinal: (block: BlockSummary) => void;
  /** Called once, at the first failure; the stream is closed then. */
  readonly onEnd: (error: unknown) => void;
}

/**
 * Receives blocks over WebSockets until the first failure. It never reconnects: the caller polls meanwhile, and so
 * learns whether the node is back.
 * @param after heights of the last known block and of the last known final block
 * @returns a function that closes the stream; no call of a listener follows
 */
export function openBlockStream(
  node: Client,
  after: { readonly tip: bigint; readonly finalized: bigint },
  { onStarted, onBlock, onFinal, onEnd }: BlockStreamListeners,
): () => void {
  let waiting = 2;
  const shared = {
    onStarted: () => {
      if (--waiting === 0) onStarted();
    },
    onEnd: (error: unknown) => {
      close();
      onEnd(error);
    },
  };
  const endings = [
    subscribeOnce(node, 'new_blocks', { ...shared, fromHeight: after.tip + 1n, onEvent: onBlock }),
    subscribeOnce(node, 'finalized_blocks', {
      ...shared,
      fromHeight: after.finalized + 1n,
      onEvent: onFinal,
    }),
  ];
  const close = (): void => {
    for (const end of endings) end();
  };
  return close;
}

interface SubscriptionListeners<T extends SubscriptionTopic> {
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
